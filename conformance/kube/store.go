package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/apps"
	"k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/informers/policy"
	"k8s.io/client-go/informers/storage"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// apiObject is any object of the API.
type apiObject interface {
	runtime.Object
	metav1.Object
}

// store is what kube-scheduler's informers have seen of the API server. It tells their
// handlers of a change before it returns, so that the order of events is that of calls.
type store struct {
	informers.SharedInformerFactory // for the kinds that no case has
	client                          kubernetes.Interface
	informers                       map[reflect.Type]*informer
	version                         int64 // of the last change
}

func newStore(client kubernetes.Interface) *store {
	return &store{
		SharedInformerFactory: informers.NewSharedInformerFactory(client, 0), client: client,
		informers: map[reflect.Type]*informer{},
	}
}

// Core has the informers of the group "".
func (s *store) Core() core.Interface { return core.New(s, metav1.NamespaceAll, nil) }

// Apps has the informers of the group apps.
func (s *store) Apps() apps.Interface { return apps.New(s, metav1.NamespaceAll, nil) }

// Policy has the informers of the group policy.
func (s *store) Policy() policy.Interface { return policy.New(s, metav1.NamespaceAll, nil) }

// Storage has the informers of the group storage.k8s.io.
func (s *store) Storage() storage.Interface { return storage.New(s, metav1.NamespaceAll, nil) }

// InformerFor is the one informer of objects like obj.
func (s *store) InformerFor(obj runtime.Object, make internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kind := reflect.TypeOf(obj)
	if s.informers[kind] == nil {
		s.informers[kind] = &informer{SharedIndexInformer: make(s.client, 0)}
	}
	return s.informers[kind]
}

// informer hands changes on at once. Its indexer is that of the real one, which never runs.
type informer struct {
	cache.SharedIndexInformer
	handlers []cache.ResourceEventHandler
}

// AddEventHandler takes a handler that hears of all changes from now on.
func (i *informer) AddEventHandler(h cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handlers = append(i.handlers, h)
	return i, nil
}

// AddEventHandlerWithResyncPeriod is AddEventHandler: nothing is ever sent again.
func (i *informer) AddEventHandlerWithResyncPeriod(h cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(h)
}

// AddEventHandlerWithOptions is AddEventHandler.
func (i *informer) AddEventHandlerWithOptions(h cache.ResourceEventHandler, _ cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(h)
}

// HasSynced is always true.
func (i *informer) HasSynced() bool { return true }

// of is the informer of an object; nil if the scheduler has not asked for one.
func (s *store) of(o apiObject) *informer { return s.informers[reflect.TypeOf(o)] }

// put adds an object or replaces the one of its name. No watcher hears of what
// changes nothing.
func (s *store) put(o apiObject) error {
	i := s.of(o)
	if i == nil {
		return nil
	}
	old, had, err := i.GetIndexer().Get(o)
	if err != nil {
		return err
	}
	if had {
		o.SetResourceVersion(old.(apiObject).GetResourceVersion())
		if equality.Semantic.DeepEqual(old, o) {
			return nil
		}
	}
	s.version++
	o.SetResourceVersion(strconv.FormatInt(s.version, 10))
	if err := i.GetIndexer().Update(o); err != nil {
		return err
	}
	for _, h := range i.handlers {
		if had {
			h.OnUpdate(old, o)
		} else {
			h.OnAdd(o, false)
		}
	}
	return nil
}

// drop takes an object away.
func (s *store) drop(o apiObject) error {
	i := s.of(o)
	if err := i.GetIndexer().Delete(o); err != nil {
		return err
	}
	for _, h := range i.handlers {
		h.OnDelete(o)
	}
	return nil
}

// get is the object of a kind and name.
func get[T apiObject](s *store, namespace, name string) (T, error) {
	var kind T
	key := cache.NewObjectName(namespace, name).String()
	if i := s.of(kind); i != nil {
		if o, found, err := i.GetIndexer().GetByKey(key); err == nil && found {
			return o.(T), nil
		}
	}
	return kind, fmt.Errorf("no %T %s", kind, key)
}

// list is all objects of a kind, sorted by name.
func list[T apiObject](s *store) []T {
	var kind T
	var out []T
	if i := s.of(kind); i != nil {
		for _, o := range i.GetIndexer().List() {
			out = append(out, o.(T))
		}
	}
	slices.SortFunc(out, func(a, b T) int {
		return cmp.Or(strings.Compare(a.GetNamespace(), b.GetNamespace()), strings.Compare(a.GetName(), b.GetName()))
	})
	return out
}
