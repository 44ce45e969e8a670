package mcp

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"slices"
	"strings"

	"github.com/glasskit/glass/internal/operation"
)

// all selects every toolset that may be published.
const all = "all"

// Select lists the operations that a selection names, in the table's order: toolsets ("browser,terminal", "all") and
// single operations to add or drop ("+evaluate,-clickAt"). Without a toolset it starts from browser. Operations of the
// session toolset are never published.
func Select(table *operation.Table, selection string) ([]*operation.Operation, error) {
	toolsets, single := map[operation.Toolset]bool{}, map[string]bool{}
	for item := range strings.SplitSeq(selection, ",") {
		item = strings.TrimSpace(item)
		switch {
		case item == "":
		case item[0] == '+' || item[0] == '-':
			if op, ok := table.Lookup(item[1:]); !ok || op.Toolset == operation.Session {
				return nil, unknownName("operation", item[1:], operationNames(table))
			}
			single[item[1:]] = item[0] == '+'
		case item == all:
			for _, name := range toolsetNames(table) {
				toolsets[operation.Toolset(name)] = true
			}
		case slices.Contains(toolsetNames(table), item):
			toolsets[operation.Toolset(item)] = true
		default:
			return nil, unknownName("toolset", item, append(toolsetNames(table), all))
		}
	}
	if len(toolsets) == 0 {
		toolsets[operation.Browser] = true
	}
	var ops []*operation.Operation
	for _, op := range table.Operations() {
		want := toolsets[op.Toolset]
		if s, named := single[op.Name]; named {
			want = s
		}
		if want && op.Toolset != operation.Session {
			ops = append(ops, op)
		}
	}
	return ops, nil
}

func unknownName(what, name string, known []string) error {
	if near := operation.Nearest(name, known); len(near) > 0 {
		return fmt.Errorf("unknown %s %q; did you mean %s?", what, name, near[0])
	}
	return fmt.Errorf("unknown %s %q; known are %s", what, name, strings.Join(known, ", "))
}

func toolsetNames(table *operation.Table) []string {
	var names []string
	for _, op := range table.Operations() {
		if name := string(op.Toolset); op.Toolset != operation.Session && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func operationNames(table *operation.Table) []string {
	var names []string
	for _, op := range table.Operations() {
		if op.Toolset != operation.Session {
			names = append(names, op.Name)
		}
	}
	return names
}

// tool is one entry of the catalogue: nothing that a client can do without (frontends.md §3).
type tool struct {
	Name         string         `json:"name"`
	Description  string         `json:"description"`
	InputSchema  jsontext.Value `json:"inputSchema"`
	OutputSchema jsontext.Value `json:"outputSchema,omitzero"`
	Annotations  *hints         `json:"annotations,omitzero"`
}

// hints are those annotations that differ from what MCP assumes of a tool without them.
type hints struct {
	ReadOnly    bool  `json:"readOnlyHint,omitzero"`
	Destructive *bool `json:"destructiveHint,omitzero"`
	Idempotent  bool  `json:"idempotentHint,omitzero"`
	OpenWorld   *bool `json:"openWorldHint,omitzero"`
}

func hintsOf(op *operation.Operation) *hints {
	h, no := hints{ReadOnly: op.ReadOnly}, false
	if !op.ReadOnly {
		h.Idempotent = op.Idempotent
		if !op.Destructive {
			h.Destructive = &no
		}
	}
	if !op.OpenWorld {
		h.OpenWorld = &no
	}
	if h == (hints{}) {
		return nil
	}
	return &h
}

// Catalogue is the tools array as it is sent.
func Catalogue(ops []*operation.Operation) ([]byte, error) {
	tools := make([]tool, 0, len(ops))
	for _, op := range ops {
		t := tool{Name: op.Name, Description: op.Summary, InputSchema: op.Schema(), Annotations: hintsOf(op)}
		if op.Structured {
			out, err := op.OutputSchema()
			if err != nil {
				return nil, err
			}
			t.OutputSchema = out
		}
		tools = append(tools, t)
	}
	return json.Marshal(tools, jsontext.EscapeForHTML(false))
}
