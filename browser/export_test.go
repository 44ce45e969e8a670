package browser

// Traced makes a runtime's owned browsers tell every frame of their connection.
func Traced(o *RuntimeOptions, trace func(dir, sessionID, method string, bytes int)) *RuntimeOptions {
	o.trace = trace
	return o
}
