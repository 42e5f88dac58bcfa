package config

import (
	"regexp"
	"strings"
)

const maxName, maxDomain = 63, 253

var (
	nameRule   = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)
	domainRule = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// isQualifiedName reports whether s is a name as of labels and resources, with or
// without a domain and a slash before it.
//
// Upstream: IsQualifiedName in k8s.io/apimachinery/pkg/util/validation, v0.36.3.
func isQualifiedName(s string) bool {
	domain, rest, qualified := strings.Cut(s, "/")
	if !qualified {
		return len(s) <= maxName && nameRule.MatchString(s)
	}
	return len(domain) <= maxDomain && domainRule.MatchString(domain) && len(rest) <= maxName && nameRule.MatchString(rest)
}

// isExtendedResource reports whether s names a resource that is not Kubernetes' own.
//
// Upstream: validateExtendedResourceName in pkg/scheduler/apis/config/validation/validation.go and
// IsExtendedResourceName in pkg/apis/core/v1/helper/helpers.go, v1.36.3.
func isExtendedResource(s string) bool {
	const quota = "requests."
	return isQualifiedName(s) && strings.Contains(s, "/") && !strings.Contains(s, "kubernetes.io/") &&
		!strings.HasPrefix(s, quota) && isQualifiedName(quota+s)
}
