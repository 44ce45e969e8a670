package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/pflag"

	"github.com/glasskit/glass/contract"
	"github.com/glasskit/glass/internal/operation"
)

const (
	envPrefix  = "GLASS_"
	configName = "glass.toml"
	// configBytes bounds a configuration file.
	configBytes = 1 << 20
	// Origins that are no file.
	fromFlag = "flag"
	fromEnv  = "environment"
	// workspaceFlag names the folder whose configuration counts, where the table has such an option.
	workspaceFlag = "workspace"
)

// setting is a flag that can also come from the environment and from configuration files.
type setting struct {
	field *operation.Field
	flag  *pflag.Flag
	// value is what is in force, and origin where it came from: flag, environment, a file's path, or "" for nowhere.
	value  json.RawMessage
	origin string
	option bool // of the session, not of this program
}

// settings are the session options and the program's own flags, by flag name.
type settings struct {
	list     []*setting
	byFlag   map[string]*setting
	resolved bool
}

func newSettings(options []*operation.Field) *settings {
	s := &settings{byFlag: map[string]*setting{}}
	for _, f := range options {
		s.add(&setting{field: f, option: true})
	}
	return s
}

func (s *settings) add(one *setting) {
	s.list = append(s.list, one)
	s.byFlag[one.field.Flag] = one
}

// register makes the flags. Values of the program's own flags are stored by their pflag values.
func (s *settings) register(flags *pflag.FlagSet) {
	for _, one := range s.list {
		if one.flag != nil {
			continue
		}
		one.flag = addFlag(flags, one.field)
	}
}

// addFlag makes the flag of a field.
func addFlag(flags *pflag.FlagSet, f *operation.Field) *pflag.Flag {
	flag := flags.VarPF(&value{field: f}, f.Flag, "", usage(f))
	switch {
	case f.Kind == operation.Bool:
		flag.NoOptDefVal = "true"
	case f.Bare != "":
		flag.NoOptDefVal = f.Bare
	}
	return flag
}

func usage(f *operation.Field) string {
	if f.Default != "" && !strings.Contains(f.Doc, "default") {
		return f.Doc + " (default " + f.Default + ")"
	}
	return f.Doc
}

// env is the variable of a setting: GLASS_NO_SANDBOX for --no-sandbox.
func (one *setting) env() string {
	switch one.field.Env {
	case "-":
		return ""
	case "":
		return envName(one.field.Flag)
	}
	return one.field.Env
}

func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// resolve finds every value: flag, then environment, then the workspace's file, then the user's (frontends.md §2).
func (s *settings) resolve() error {
	if s.resolved {
		return nil
	}
	s.resolved = true
	for _, one := range s.list {
		if err := one.fromFlagOrEnv(); err != nil {
			return err
		}
	}
	dir, err := s.workspace()
	if err != nil {
		return err
	}
	if err := s.fromFile(filepath.Join(dir, configName), true); err != nil {
		return err
	}
	user, err := os.UserConfigDir()
	if err != nil {
		return nil // a user without a home has no file there
	}
	return s.fromFile(filepath.Join(user, "glass", configName), false)
}

func (one *setting) fromFlagOrEnv() error {
	if one.flag != nil && one.flag.Changed {
		texts := []string{one.flag.Value.String()}
		if v, ok := one.flag.Value.(*value); ok {
			texts = v.texts
		}
		return one.set(texts, fromFlag)
	}
	name := one.env()
	text, ok := os.LookupEnv(name)
	if name == "" || !ok || text == "" && one.field.Kind != operation.String {
		return nil
	}
	texts := []string{text}
	if one.field.Kind == operation.Strings && !isJSON(text, '[') {
		texts = strings.Split(text, ",")
	}
	return one.set(texts, fromEnv)
}

func (one *setting) set(texts []string, origin string) error {
	if one.field.Path {
		texts = slices.Clone(texts)
		for i, t := range texts {
			abs, err := filepath.Abs(t)
			if err != nil {
				return fmt.Errorf("cannot find the working directory: %w", err)
			}
			texts[i] = abs
		}
	}
	v, err := encode(one.field, texts)
	if f, ok := errors.AsType[*contract.Failure](err); ok && origin == fromEnv {
		return f.WithHint("it comes from %s in the environment", one.env())
	}
	if err != nil {
		return err
	}
	one.value, one.origin = v, origin
	return nil
}

func (s *settings) workspace() (string, error) {
	if one := s.byFlag[workspaceFlag]; one != nil && one.value != nil {
		var dir string
		if err := json.Unmarshal(one.value, &dir); err == nil && dir != "" {
			return dir, nil
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("cannot find the working directory: %w", err)
	}
	return dir, nil
}

// fromFile reads a configuration file, if it is there. That of a workspace may come with a stranger's project, so it
// cannot set what runs programs.
func (s *settings) fromFile(path string, workspace bool) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", path, err)
	}
	if !info.Mode().IsRegular() || info.Size() > configBytes {
		return configFailure(path, "not a regular file of at most 1 MiB")
	}
	var content map[string]any
	if _, err := toml.DecodeFile(path, &content); err != nil {
		return configFailure(path, "%v", err)
	}
	names := make([]string, 0, len(content))
	for name := range content {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		one := s.byFlag[name]
		if one == nil {
			return s.unknownKey(path, name)
		}
		if workspace && one.field.UserOnly {
			return configFailure(path, "%s cannot be set by a workspace; use a flag, %s or the user's own %s",
				name, one.env(), configName)
		}
		if one.value == nil {
			if err := one.fromTOML(content[name], path); err != nil {
				return err
			}
		}
	}
	return nil
}

func (one *setting) fromTOML(v any, path string) error {
	if text, ok := v.(string); ok && one.field.Path && !filepath.IsAbs(text) {
		v = filepath.Join(filepath.Dir(path), text) // a file means paths from where it lies
	}
	one.value, one.origin = quoted(v), path
	return nil
}

func configFailure(path, format string, args ...any) error {
	return contract.Fail(contract.InvalidArgument, contract.PhasePreflight, "cannot take %s: %s",
		path, fmt.Sprintf(format, args...))
}

func (s *settings) unknownKey(path, name string) error {
	var known []string
	for flag := range s.byFlag {
		known = append(known, flag)
	}
	slices.Sort(known)
	if near := operation.Nearest(name, known); len(near) > 0 {
		return configFailure(path, "unknown setting %s; did you mean %s?", name, near[0])
	}
	return configFailure(path, "unknown setting %s", name)
}

// options are the session options that were named, as one object, or nil.
func (s *settings) options() json.RawMessage {
	var o object
	for _, one := range s.list {
		if one.option && one.value != nil {
			o.add(one.field.Name, one.value)
		}
	}
	return o.bytes()
}
