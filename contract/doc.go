// Package contract is what every surface of Glass promises, whatever it shows: a web page, a terminal app or a page
// read as a feed.
//
// A caller gets one of two things back from an operation that acts: an [Outcome], the evidence of what was done, or a
// [*Failure], which says in typed fields what went wrong, in which phase, and whether repeating is safe. Callers branch
// on fields, never on prose:
//
//	var f *contract.Failure
//	if errors.As(err, &f) && f.Kind == contract.StaleReference { observe again }
//
// States are named by a [Revision], elements by a [Ref]. Everything that comes from outside is bounded; the bounds are
// constants with names, listed by [Limits], and text is cut by [Cut], which never splits a character.
package contract
