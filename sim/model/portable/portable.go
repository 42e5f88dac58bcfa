// Package portable has the elementary functions whose results have the same bits on every processor.
//
// The standard library's do not: math.Exp is assembly on amd64 and uses fused multiply-add where the processor has it,
// and on arm64 the compiler fuses x*y + z of the pure Go versions into one instruction, which rounds once instead of
// twice. The functions here round every product before it is added to something: an explicit conversion,
// float64(x*y), forbids the compiler to fuse (Go specification, "Floating-point operators"). Additions,
// multiplications, divisions, square roots and conversions to floating point alone are exact to the bit by IEEE 754, so math.Sqrt,
// math.Floor, math.Frexp and their like may be used everywhere.
//
// The methods are those of FreeBSD's msun and of Cephes. Results are within one or two units in the last place of the
// true value where a function's comment does not say otherwise.
package portable
