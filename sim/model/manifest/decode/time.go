package decode

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Seconds is a time as the API server serves it: fractions of a second do not survive in a
// metav1.Time.
func Seconds(t *metav1.Time) time.Time { return t.Truncate(time.Second) }
