package config

import "reflect"

// SameAs reports whether two policies decide alike because they say the same, wherever they
// come from. They must have been read with the same registry and equal vocabularies.
func (p Policy) SameAs(other Policy) bool {
	return reflect.DeepEqual(p.content(), other.content())
}

// content is what schedulers are made of.
func (p Policy) content() Policy {
	c := Policy{Extenders: p.Extenders, InitialBackoff: p.InitialBackoff, MaxBackoff: p.MaxBackoff}
	for _, profile := range p.Profiles {
		profile.Registry = nil // of functions
		if len(profile.Args) == 0 {
			profile.Args = nil
		}
		c.Profiles = append(c.Profiles, profile)
	}
	return c
}
