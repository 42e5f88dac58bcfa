// Package decode reads documents into Kubernetes objects: it finds the objects, those in lists too, knows which
// kinds are read, and fills API types strictly, so that an unknown field is an error. Errors have file, line,
// column and path.
//
// The steps of loading are packages of their own, each of which imports only those before it:
//
//	decode ──▶ validate ──▶ admit ──▶ compile        encode
//	documents  API server's  API server's  cluster's   objects as the
//	to objects validation    admission     state       API server has them
package decode
