package operation

import (
	"slices"
	"strings"
)

// nearestCount bounds how many names are suggested.
const nearestCount = 3

// nearestBytes bounds the names that are compared; the comparison costs the product of both lengths.
const nearestBytes = 64

// Nearest lists the known names that a mistyped one may have meant, best first, at most three.
func Nearest(name string, known []string) []string {
	if len(name) > nearestBytes {
		return nil
	}
	type match struct {
		name     string
		distance int
	}
	var found []match
	plain := plainName(name)
	for _, k := range known {
		d := distance(plain, plainName(k))
		prefix := len(plain) >= 3 && strings.HasPrefix(plainName(k), plain)
		if d <= 1+len(plain)/4 || prefix {
			found = append(found, match{k, d})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.distance - b.distance })
	var names []string
	for _, m := range found[:min(len(found), nearestCount)] {
		names = append(names, m.name)
	}
	return names
}

// plainName drops what people get wrong first: case, dashes and underscores.
func plainName(s string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s))
}

// distance is the number of letters to add, drop, change or swap.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	var before, prev []int
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, prev, row = prev, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
