package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/internal/operation"
)

// Members of _meta. All but metaCost are for the daemon's private socket and mean nothing elsewhere.
const (
	metaCost    = "contextCost"
	metaForm    = "glass/form"
	metaClient  = "glass/client"
	metaOptions = "glass/options"
	metaDir     = "glass/dir"
	metaSession = "glass/session"
	metaAgent   = "glass/agent"
	metaText    = "glass/text" // the result is plain text, not JSON

	metaAsking   = "glass/asking"   // whom the client of the call can ask
	metaAnswers  = "glass/answers"  // what it was answered
	metaQuestion = "glass/question" // what the call has to know first
)

// callOf says on whose behalf a call runs.
func (c *connection) callOf(meta sdk.Meta) (*operation.Call, operation.Form) {
	call := &operation.Call{
		Client: c.client, Owner: c.owner, Session: c.opts.Session, Options: c.opts.SessionOptions, Dir: c.opts.Dir,
		Agent: !c.opts.Private,
	}
	if !c.opts.Private {
		return call, operation.Compact
	}
	text := func(key, fallback string) string {
		if s, ok := meta[key].(string); ok && s != "" {
			return s
		}
		return fallback
	}
	call.Client, call.Dir = text(metaClient, call.Client), text(metaDir, call.Dir)
	call.Session = text(metaSession, call.Session)
	call.Agent, _ = meta[metaAgent].(bool)
	if o, ok := meta[metaOptions]; ok {
		if data, err := json.Marshal(o); err == nil { // it was JSON a moment ago
			call.Options = data
		}
	}
	member(meta, metaAsking, &call.Asking)
	member(meta, metaAnswers, &call.Answers)
	return call, operation.Form(text(metaForm, string(operation.Compact)))
}

// member reads a member of meta into v, and leaves v as it is where there is none of its type.
func member(meta sdk.Meta, key string, v any) {
	if m, ok := meta[key]; ok {
		if data, err := json.Marshal(m); err == nil { // it was JSON a moment ago
			_ = json.Unmarshal(data, v)
		}
	}
}

// metaOf is the reverse, for the client of the private socket.
func metaOf(call *operation.Call, form operation.Form) sdk.Meta {
	meta := sdk.Meta{}
	set := func(key, value string) {
		if value != "" {
			meta[key] = value
		}
	}
	set(metaForm, string(form))
	if call == nil {
		return meta
	}
	set(metaClient, call.Client)
	set(metaDir, call.Dir)
	set(metaSession, call.Session)
	if call.Agent {
		meta[metaAgent] = true
	}
	if call.Asking != (operation.Asking{}) {
		meta[metaAsking] = call.Asking
	}
	if len(call.Answers) > 0 {
		meta[metaAnswers] = call.Answers
	}
	if len(call.Options) > 0 {
		meta[metaOptions] = call.Options
	}
	return meta
}
