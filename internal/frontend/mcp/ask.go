package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

// questions bounds what one call may ask, one after the other.
const questions = 10

// askingOf says whom a client can ask. Over HTTP without sessions only the newest protocol can carry a question.
func (c *connection) askingOf(session *sdk.ServerSession) operation.Asking {
	p := session.InitializeParams()
	if p == nil || p.Capabilities == nil || c.http && !c.opts.keepSessions && !resumes(session) {
		return operation.Asking{}
	}
	e := p.Capabilities.Elicitation
	return operation.Asking{Person: e != nil && (e.Form != nil || e.URL == nil), Model: p.Capabilities.Sampling != nil}
}

// resumes reports whether the client itself repeats a call with its answers; for others that is done here.
func resumes(session *sdk.ServerSession) bool { return version(session) >= listening }

// execute runs a call, and asks the client what the call has to know.
func (c *connection) execute(
	ctx context.Context, session *sdk.ServerSession, call *operation.Call, p *sdk.CallToolParamsRaw, form operation.Form,
) (*operation.Result, error) {
	for range questions {
		res, err := c.opts.Backend.Execute(ctx, call, p.Name, p.Arguments, form)
		u, asked := errors.AsType[*operation.Unanswered](err)
		if !asked || c.opts.Private || resumes(session) {
			return res, err
		}
		answer, err := ask(ctx, session, u.Question)
		if err != nil {
			return nil, contract.Fail(contract.Unavailable, contract.PhasePolicy, "the client could not be asked").Wrap(err)
		}
		answers := maps.Clone(call.Answers)
		if answers == nil {
			answers = map[string]operation.Answer{}
		}
		answers[u.Question.ID] = answer
		call.Answers = answers
	}
	return nil, contract.Fail(contract.Unavailable, contract.PhasePolicy, "the call asks too many questions")
}

// ask puts a question to a client that is asked while the call runs.
func ask(ctx context.Context, session *sdk.ServerSession, q operation.Question) (operation.Answer, error) {
	if q.ModelTokens > 0 {
		r, err := session.CreateMessage(ctx, messageOf(q))
		if err != nil {
			return operation.Answer{}, err
		}
		return answerOf(r), nil
	}
	r, err := session.Elicit(ctx, elicitOf(q))
	if err != nil {
		return operation.Answer{}, err
	}
	return answerOf(r), nil
}

func messageOf(q operation.Question) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{
		MaxTokens: q.ModelTokens, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: q.Message}}},
	}
}

func elicitOf(q operation.Question) *sdk.ElicitParams {
	return &sdk.ElicitParams{Message: q.Message, RequestedSchema: q.Form}
}

// answerOf reads the answer of a client of any protocol version.
func answerOf(r any) operation.Answer {
	switch r := r.(type) {
	case *sdk.ElicitResult:
		return operation.Answer{Action: r.Action, Values: r.Content}
	case *sdk.CreateMessageResult:
		return operation.Answer{Text: spoken(r.Content)}
	case *sdk.CreateMessageWithToolsResult:
		return operation.Answer{Text: spoken(r.Content...)}
	}
	return operation.Answer{}
}

func spoken(contents ...sdk.Content) string {
	text := ""
	for _, c := range contents {
		if t, ok := c.(*sdk.TextContent); ok {
			text += t.Text
		}
	}
	return text
}

// answersOf reads the answers that a client sends with a repeated call.
func answersOf(responses sdk.InputResponseMap) map[string]operation.Answer {
	answers := map[string]operation.Answer{}
	for id, r := range responses {
		answers[id] = answerOf(r)
	}
	return answers
}

// toolQuestion is the answer to a call of a client that repeats it with what it is asked here.
func toolQuestion(q operation.Question) *sdk.CallToolResult {
	var input sdk.InputRequest = elicitOf(q)
	if q.ModelTokens > 0 {
		input = messageOf(q)
	}
	return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{q.ID: input}}
}

// privateQuestion carries a question over the daemon's own socket.
func privateQuestion(q operation.Question) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{}, Meta: sdk.Meta{metaQuestion: q}}
}

func unansweredIn(meta sdk.Meta) *operation.Unanswered {
	var q operation.Question
	member(meta, metaQuestion, &q)
	if q.ID == "" {
		return nil
	}
	return &operation.Unanswered{Question: q}
}

// note passes a message to the client's log at its level "info".
func note(ctx context.Context, session *sdk.ServerSession) func(string) {
	return func(message string) {
		data, err := json.Marshal(contract.Cut(message, contract.MessageBytes))
		if err != nil {
			return
		}
		// A message that cannot be sent means that the connection is going, which cancels the call anyway.
		_ = session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Logger: "glass", Data: json.RawMessage(data)})
	}
}
