package config

import ("testing";"github.com/berth-sim/berth/scheduler/plugins")

func TestX(t *testing.T) { for _, r := range Default(plugins.Registry()).Rows() { t.Log(r) } }
