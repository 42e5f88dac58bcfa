package html

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/model/clock"
)

// occupancy is the time that a pod was on a node, from the decision on.
type occupancy struct {
	node     int32
	class    int32
	ending   ending
	number   int64
	name     string
	from, to clock.Time
	devices  []int32
}

// ending is how an occupancy ended.
type ending uint8

const (
	completed  ending = 0
	evicted    ending = 1
	continues  ending = 2 // the pod is on its node at the end of the run
	numEndings        = 4 // values kept for endings in the number that holds class and ending
)

// timeUnits is how many units of time a run has in the data of its nodes.
const timeUnits = 1 << 16

// groupingHeader is a grouping of nodes.
type groupingHeader struct {
	Name    string        `json:"name"`
	Rows    []string      `json:"rows"`
	Nodes   []string      `json:"nodes"`   // of each row, how many
	Figures [][][3]string `json:"figures"` // of each resource and row: the mean, the highest and the last share
	Of      []int         `json:"of"`      // the row of each group
}

// nodesHeader is the first line of the data of nodes. After it come, as bytes, the level
// of each node, resource and column; the level of each grouping, resource, row and column; then, as varints, for each node the number of its
// occupancies that are shown and of those that are left out. Then come the occupancies, one field of
// all of them after the other: start (since the previous one on the node), length, prefix of the pod's name, number
// at the end of the name plus one (the difference to the previous one, zigzag), class × 4 + ending; and,
// where nodes have devices, how many the pod held and their numbers.
type nodesHeader struct {
	Columns   int              `json:"columns"`
	Seconds   float64          `json:"seconds"`
	Units     int              `json:"units"`
	Resources []string         `json:"resources"`
	Groupings []groupingHeader `json:"groupings"`
	Names     []string         `json:"names"` // of nodes
	Group     []int            `json:"group"` // of each node, whose rows the groupings tell
	Classes   []string         `json:"classes"`
	Prefixes  []string         `json:"prefixes"` // of names of pods
	Stays     int              `json:"stays"`
	Devices   []int            `json:"devices,omitempty"` // of each node, the most that it had
	Milli     []int32          `json:"milli,omitempty"`   // of each device that pods of the class ask for
}

// nodeData is what the script reads of the nodes of a run: compressed, in base64.
func (c *collector) nodeData() (string, error) {
	h := nodesHeader{
		Columns: c.heat.count, Seconds: c.end.Seconds(), Units: timeUnits, Resources: c.heat.resources,
		Names: []string{}, Group: []int{}, Classes: []string{}, Prefixes: []string{},
	}
	var rows []byte
	h.Groupings, rows = c.heat.groupingHeaders()
	for i := range c.nodes {
		h.Names, h.Group = append(h.Names, c.nodes[i].name), append(h.Group, c.nodes[i].group)
	}
	for i := range c.classes {
		h.Classes = append(h.Classes, c.describeClass(i))
	}
	if c.devices.Any() {
		for i := range c.nodes {
			h.Devices = append(h.Devices, c.nodes[i].devices)
		}
		for i := range c.classes {
			h.Milli = append(h.Milli, c.classes[i].milli)
		}
	}
	occupancies := c.encodeOccupancies(c.longestOccupancies(), &h)
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	header, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	zip.Write(append(header, '\n')) // a buffer takes all
	row := make([]byte, c.heat.count)
	for i := range c.nodes {
		for r := range h.Resources {
			for column := range row {
				row[column] = c.nodes[i].levels[column*len(h.Resources)+r]
			}
			zip.Write(row)
		}
	}
	zip.Write(rows)
	zip.Write(occupancies)
	if err := zip.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(out.Bytes()), nil
}

// groupingHeaders returns the groupings of the nodes, and the levels of their rows.
func (h *heat) groupingHeaders() ([]groupingHeader, []byte) {
	var out []groupingHeader
	var levels []byte
	for _, g := range h.groupings() {
		header := groupingHeader{Name: g.name, Rows: g.rows, Of: g.of}
		for resource := range h.resources {
			sums, nodes := h.sums(&g, resource)
			figures := make([][3]string, len(sums))
			header.Nodes = header.Nodes[:0]
			for i := range sums {
				figures[i] = sums[i].figures()
				levels = append(levels, sums[i].levels()...)
				header.Nodes = append(header.Nodes, human.Counted(nodes[i], "node"))
			}
			header.Figures = append(header.Figures, figures)
		}
		out = append(out, header)
	}
	return out, levels
}

// longestOccupancies returns the longest occupancies, as many as the limit allows, by node and time.
func (c *collector) longestOccupancies() []occupancy {
	longest := slices.Clone(c.occupancies)
	if len(longest) > c.limits.occupancies {
		slices.SortFunc(longest, func(a, b occupancy) int {
			return cmp.Or(cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(a.number, b.number))
		})
		longest = longest[:c.limits.occupancies]
	}
	slices.SortFunc(longest, func(a, b occupancy) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.from, b.from), cmp.Compare(a.number, b.number))
	})
	return longest
}

// encodeOccupancies returns the occupancies as the comment of nodesHeader describes them, and sets their number and the
// prefixes of names in the header.
func (c *collector) encodeOccupancies(shown []occupancy, h *nodesHeader) []byte {
	h.Stays = len(shown)
	count, left := make([]int, len(c.nodes)), make([]int, len(c.nodes))
	for i := range c.occupancies {
		left[c.occupancies[i].node]++
	}
	var from, length, prefix, number, class, devices []byte
	prefixes := map[string]int{}
	at, last, lastNode := 0, int64(0), int32(-1)
	for i := range shown {
		s := &shown[i]
		count[s.node]++
		left[s.node]--
		begin, end := c.units(s.from), c.units(s.to)
		if s.node != lastNode {
			at, lastNode = 0, s.node
		}
		from = binary.AppendUvarint(from, uint64(begin-at))
		length = binary.AppendUvarint(length, uint64(end-begin))
		at = begin
		text, n := splitName(s.name)
		id, known := prefixes[text]
		if !known {
			id = len(h.Prefixes)
			prefixes[text] = id
			h.Prefixes = append(h.Prefixes, text)
		}
		prefix = binary.AppendUvarint(prefix, uint64(id))
		number = binary.AppendVarint(number, n-last)
		last = n
		class = binary.AppendUvarint(class, uint64(s.class)*numEndings+uint64(s.ending))
		if h.Devices != nil {
			devices = appendDevices(devices, s.devices)
		}
	}
	var out []byte
	for i := range count {
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(count[i])), uint64(left[i]))
	}
	return slices.Concat(out, from, length, prefix, number, class, devices)
}

func appendDevices(out []byte, devices []int32) []byte {
	out = binary.AppendUvarint(out, uint64(len(devices)))
	for _, device := range devices {
		out = binary.AppendUvarint(out, uint64(device))
	}
	return out
}

func (c *collector) units(t clock.Time) int {
	if c.end == 0 {
		return 0
	}
	return int(float64(t) / float64(c.end) * timeUnits)
}

// splitName cuts the number off the end of a name. It returns the number plus one, or 0 if there is none.
func splitName(name string) (prefix string, n int64) {
	const most = 9
	at := len(name)
	for at > 0 && len(name)-at < most && name[at-1] >= '0' && name[at-1] <= '9' {
		at--
	}
	for at < len(name)-1 && name[at] == '0' {
		at++ // the zero belongs to the prefix
	}
	if at == len(name) {
		return name, 0
	}
	n, _ = strconv.ParseInt(name[at:], 10, 64) // digits
	return name[:at], n + 1
}

// describeClass returns what pods of a class request, such as "cpu 500m, memory 1 GiB".
func (c *collector) describeClass(i int) string {
	var parts []string
	for _, a := range c.classes[i].amounts {
		parts = append(parts, a.Resource+" "+human.Amount(a.Resource, float64(a.Value)))
	}
	if len(parts) == 0 {
		return "no requests"
	}
	return strings.Join(parts, ", ")
}
