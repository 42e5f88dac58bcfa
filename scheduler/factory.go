package scheduler

import "fmt"

// Factory makes a plugin of the arguments that a profile has for it, nil where it has none. It fails for arguments of a
// type that the plugin does not take. WithArgs and WithoutArgs make factories.
type Factory func(h *Handle, args any) (Plugin, error)

// Registry are the plugins that a profile can name.
type Registry map[string]Factory

// WithArgs returns the factory of a plugin that takes arguments of type A. A profile without arguments for the plugin
// gets the default ones; arguments of any other type are an error.
func WithArgs[A any](defaults A, make func(h *Handle, args A) (Plugin, error)) Factory {
	return func(h *Handle, args any) (Plugin, error) {
		if args == nil {
			return make(h, defaults)
		}
		typed, ok := args.(A)
		if !ok {
			return nil, fmt.Errorf("arguments have the type %T, want %T", args, defaults)
		}
		return make(h, typed)
	}
}

// WithoutArgs returns the factory of a plugin that takes no arguments: to give it some is an error.
func WithoutArgs(make func(h *Handle) (Plugin, error)) Factory {
	return func(h *Handle, args any) (Plugin, error) {
		if args != nil {
			return nil, fmt.Errorf("arguments have the type %T, but the plugin takes none", args)
		}
		return make(h)
	}
}

// New makes the plugin of that name. Its errors name the plugin.
func (r Registry) New(name string, h *Handle, args any) (Plugin, error) {
	plugin, err := r.make(name, h, args)
	if err != nil && r[name] != nil {
		err = fmt.Errorf("plugin %s: %w", name, err)
	}
	return plugin, err
}

func (r Registry) make(name string, h *Handle, args any) (Plugin, error) {
	factory, known := r[name]
	if !known {
		return nil, fmt.Errorf("unknown plugin %q", name)
	}
	return factory(h, args)
}
