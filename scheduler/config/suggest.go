package config

import "strings"

// nearest is the name with the fewest edits, letters of either case being equal; ""
// where none is near.
func nearest(name string, names []string) string {
	best, fewest := "", len(name)/3+1
	for _, candidate := range names {
		if d := edits(strings.ToLower(name), strings.ToLower(candidate)); d < fewest {
			best, fewest = candidate, d
		}
	}
	return best
}

// edits is how many letters must be inserted, deleted or replaced to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j]+1, row[j+1]+1, replace)
		}
	}
	return row[len(b)]
}
