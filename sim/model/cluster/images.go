package cluster

// ImageState is what the cluster knows of an image name.
type ImageState struct {
	Size  int64 // bytes, as the node reported that was first to have it
	Nodes int   // how many nodes have it
}

// Images is what is known of the images that nodes have pulled, by name.
type Images map[Sym]*ImageState

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

// State is what is known of an image name; false where no node has it.
func (t Images) State(name Sym) (ImageState, bool) {
	s, ok := t[name]
	if !ok {
		return ImageState{}, false
	}
	return *s, true
}

// HasImage reports whether a node has pulled an image under that name.
func (n *Node) HasImage(name Sym) bool {
	for _, image := range n.Images {
		if image.Name == name {
			return true
		}
	}
	return false
}
