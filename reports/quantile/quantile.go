// Package quantile has the two definitions of a quantile that berth uses. What is reported of a run or of a set of seeds
// is a value that occurred: that of the nearest rank. Where means of samples or published tables stand beside each other
// it is a value between two of them.
package quantile

import "slices"

// Rank is the place, from 1, of the quantile of n values in order: it is the smallest value that at least permille/1000 of
// the values do not exceed. It is 1 at least.
func Rank(n, permille int64) int64 { return max((permille*n+999)/1000, 1) }

// Percentile is the smallest of the sorted values that at least so many percent of them do not exceed. There must be one.
func Percentile[V any](sorted []V, percent int) V {
	return sorted[Rank(int64(len(sorted)), 10*int64(percent))-1]
}

// Between is the point at share p of the way from the least to the greatest value, in proportion between the two values
// next to it (numpy's default). It puts these two in their places. There must be one value.
func Between(values []float64, p float64) float64 {
	at := float64(p * float64(len(values)-1))
	i := int(at)
	v := kth(values, i)
	if i == len(values)-1 {
		return v
	}
	return v + float64((at-float64(i))*(slices.Min(values[i+1:])-v))
}

// kth is what sorting would put at k, by Hoare's selection: only ends are wanted, and sorting takes longer than all else.
// No value after k is less then.
func kth(values []float64, k int) float64 {
	for low, high := 0, len(values)-1; low < high; {
		pivot := values[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for pivot < values[j] {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return values[k]
		}
	}
	return values[k]
}
