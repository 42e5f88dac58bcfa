package admit

import (
	"time"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// defaultClass is the storage class of claims that name none.
type defaultClass struct {
	Name    string
	created time.Time
}

// RegisterStorageClass notes the default class: of several the newest, and then by name.
//
// Upstream: GetDefaultClass of pkg/volume/util/storageclass.go, v1.36.3.
func (chain *Chain) RegisterStorageClass(o *decode.Object) {
	s := o.Typed.(*storagev1.StorageClass)
	if s.Annotations["storageclass.kubernetes.io/is-default-class"] != "true" &&
		s.Annotations["storageclass.beta.kubernetes.io/is-default-class"] != "true" {
		return
	}
	d := &chain.DefaultClass
	created := decode.Seconds(&s.CreationTimestamp)
	if d.Name == "" || created.After(d.created) || created.Equal(d.created) && o.Name < d.Name {
		*d = defaultClass{o.Name, created}
	}
}
