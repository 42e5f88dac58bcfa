package cluster

// ImageState is what the cluster knows of an image name.
type ImageState struct {
	Size  int64 // bytes, as the node reported that was first to have it
	Nodes int   // how many nodes have it
}

// Images is what is known of the images that nodes have pulled, by name.
type Images map[Symbol]*ImageState

func (t Images) add(n *Node) {
	for _, image := range n.Images {
		if s := t[image.Name]; s != nil {
			s.Nodes++
		} else {
			t[image.Name] = &ImageState{Size: image.Size, Nodes: 1}
		}
	}
}

func (t Images) remove(n *Node) {
	for _, image := range n.Images {
		if t[image.Name].Nodes--; t[image.Name].Nodes == 0 {
			delete(t, image.Name)
		}
	}
}

// savedImage is what was known of an image; nil: nothing.
type savedImage struct {
	name  Symbol
	state *ImageState
}

// save appends what is known of the images.
func (t Images) save(to []savedImage, images []NodeImage) []savedImage {
	for _, image := range images {
		s := savedImage{name: image.Name}
		if known := t[image.Name]; known != nil {
			before := *known
			s.state = &before
		}
		to = append(to, s)
	}
	return to
}

func (t Images) restore(saved []savedImage) {
	for _, s := range saved {
		if s.state == nil {
			delete(t, s.name)
			continue
		}
		state := *s.state
		t[s.name] = &state
	}
}

// State returns the state of an image by name; false if no node has the image.
func (t Images) State(name Symbol) (ImageState, bool) {
	s, ok := t[name]
	if !ok {
		return ImageState{}, false
	}
	return *s, true
}

// HasImage reports whether a node has pulled an image under that name.
func (n *Node) HasImage(name Symbol) bool {
	for _, image := range n.Images {
		if image.Name == name {
			return true
		}
	}
	return false
}
