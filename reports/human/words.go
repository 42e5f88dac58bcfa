package human

import "strings"

// Counted writes how many there are of something: "1 pod", "1,200 pods".
func Counted[N int | int32 | int64 | float64](n N, what string) string {
	if n != 1 {
		what += "s"
	}
	return Number(float64(n), 0) + " " + what
}

// Verb is a verb in the form for so many of something, from its plural form: "fits", "fit".
func Verb(n int, plural string) string {
	if n == 1 {
		return plural + "s"
	}
	return plural
}

// List joins words: "a, b and c".
func List(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
