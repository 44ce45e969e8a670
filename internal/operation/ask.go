package operation

import (
	"encoding/json"

	"github.com/glasskit/glass/contract"
)

// Question is what an operation has to know from whoever is behind the client before it can go on.
type Question struct {
	// ID names the question within the call; the answer comes under the same name.
	ID string `json:"id"`
	// Message is what is asked, at most contract.MessageBytes.
	Message string `json:"message"`
	// Form is the JSON schema of an object with the values that a person is asked for.
	Form json.RawMessage `json:"form,omitzero"`
	// ModelTokens asks the client's model instead of a person, for an answer of at most so many tokens.
	ModelTokens int64 `json:"modelTokens,omitzero"`
}

// The actions of an [Answer].
const (
	Accepted  = "accept"
	Declined  = "decline"
	Cancelled = "cancel"
)

// Answer is what came back: the action and values of a person, or the text of a model.
type Answer struct {
	Action string         `json:"action,omitzero"`
	Values map[string]any `json:"values,omitzero"`
	Text   string         `json:"text,omitzero"`
}

// Unanswered is the error of a call that needs an answer first. A frontend that can ask does so and repeats the call with
// the answer in Call.Answers: not all protocols can ask while a call runs. Nothing may have been done before it.
type Unanswered struct{ Question Question }

func (u *Unanswered) Error() string { return "an answer is needed: " + u.Question.Message }

// Asking says whom a client can ask.
type Asking struct {
	Person bool `json:"person,omitzero"`
	Model  bool `json:"model,omitzero"`
}

// Ask gives the answer to q. Its error is an [*Unanswered], which the handler returns as it is, or a failure of kind
// unavailable where nobody can be asked.
func (c *Call) Ask(q Question) (Answer, error) {
	if a, ok := c.Answers[q.ID]; ok {
		return a, nil
	}
	if q.ModelTokens > 0 && !c.Asking.Model || q.ModelTokens == 0 && !c.Asking.Person {
		return Answer{}, contract.Fail(contract.Unavailable, contract.PhasePolicy, "this client cannot be asked")
	}
	q.Message = contract.Cut(q.Message, contract.MessageBytes)
	return Answer{}, &Unanswered{Question: q}
}
