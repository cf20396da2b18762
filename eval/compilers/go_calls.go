// Command go_calls writes what the Go compiler's own type checker says of each call site of a repository, for
// `calls.py sites`:
//
//	go run go_calls.go REPOSITORY > SITES.tsv
//
// A line is a mark, the caller's file and function, and for "=" (a call) and "~" (a composite literal or a conversion)
// the definition's file and name, then the line; "-" goes out of the repository, "?" is a call of a value or of
// something that needs a module which is not there. Modules other than the repository's own are not looked for.
package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

var fset = token.NewFileSet()
var root, module string
var std = importer.ForCompiler(fset, "source", nil)
var pkgs = map[string]*types.Package{}
var out = map[string]bool{}

type imp struct{}

func (imp) Import(path string) (*types.Package, error) {
	if path == module || strings.HasPrefix(path, module+"/") {
		if p, ok := pkgs[path]; ok && p != nil {
			return p, nil
		}
		dir := filepath.Join(root, strings.TrimPrefix(strings.TrimPrefix(path, module), "/"))
		return check(dir, path, "", false), nil
	}
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		return std.Import(path)
	}
	return nil, fmt.Errorf("not here: %s", path)
}

func check(dir, path, suffix string, record bool) *types.Package {
	entries, _ := os.ReadDir(dir)
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		test := strings.HasSuffix(e.Name(), "_test.go")
		if test && suffix == "" {
			continue
		}
		if ok, _ := build.Default.MatchFile(dir, e.Name()); !ok {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, 0)
		if f == nil || err != nil {
			continue
		}
		ext := strings.HasSuffix(f.Name.Name, "_test")
		if (suffix == "ext") != ext {
			continue
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: imp{}, Error: func(error) {}, FakeImportC: true}
	p, _ := conf.Check(path, fset, files, info)
	if suffix == "" {
		pkgs[path] = p
	}
	if record {
		for _, f := range files {
			for _, d := range f.Decls {
				caller := "<module>"
				if fd, ok := d.(*ast.FuncDecl); ok {
					caller = fd.Name.Name
					if fd.Recv != nil && len(fd.Recv.List) > 0 {
						caller = recv(fd.Recv.List[0].Type) + "." + caller
					}
				}
				ast.Inspect(d, func(n ast.Node) bool {
					switch c := n.(type) {
					case *ast.CallExpr:
						site(c, caller, info)
					case *ast.CompositeLit:
						typed(c.Type, caller, info)
					}
					return true
				})
			}
		}
	}
	return p
}

func recv(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return recv(t.X)
	case *ast.IndexExpr:
		return recv(t.X)
	case *ast.IndexListExpr:
		return recv(t.X)
	case *ast.ParenExpr:
		return recv(t.X)
	case *ast.Ident:
		return t.Name
	}
	return "?"
}

// typed records the type that a composite literal or a conversion names.
func typed(e ast.Expr, caller string, info *types.Info) {
	for {
		switch t := e.(type) {
		case *ast.ParenExpr:
			e = t.X
			continue
		case *ast.StarExpr:
			e = t.X
			continue
		case *ast.IndexExpr:
			e = t.X
			continue
		case *ast.IndexListExpr:
			e = t.X
			continue
		}
		break
	}
	var id *ast.Ident
	switch t := e.(type) {
	case *ast.Ident:
		id = t
	case *ast.SelectorExpr:
		id = t.Sel
	default:
		return
	}
	tn, ok := info.Uses[id].(*types.TypeName)
	if !ok {
		return
	}
	pos, def := fset.Position(id.Pos()), fset.Position(tn.Pos())
	cf, _ := filepath.Rel(root, pos.Filename)
	tf, err := filepath.Rel(root, def.Filename)
	if def.Filename == "" || err != nil || strings.HasPrefix(tf, "..") {
		return
	}
	out[fmt.Sprintf("~\t%s\t%s\t%s\t%s\t%d", cf, caller, tf, tn.Name(), pos.Line)] = true
}

func site(c *ast.CallExpr, caller string, info *types.Info) {
	fun := ast.Unparen(c.Fun)
	switch t := fun.(type) {
	case *ast.IndexExpr:
		fun = t.X
	case *ast.IndexListExpr:
		fun = t.X
	}
	var id *ast.Ident
	switch t := fun.(type) {
	case *ast.Ident:
		id = t
	case *ast.SelectorExpr:
		id = t.Sel
	case *ast.StarExpr:
		typed(t, caller, info)
		return
	default:
		return
	}
	pos := fset.Position(id.Pos())
	cf, _ := filepath.Rel(root, pos.Filename)
	obj := info.Uses[id]
	if _, ok := obj.(*types.TypeName); ok {
		typed(fun, caller, info)
		return
	}
	if obj == nil {
		fmt.Printf("?\t%s\t%s\t%s\t%d\n", cf, caller, id.Name, pos.Line)
		return
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		kind := "?"
		if _, isvar := obj.(*types.Var); !isvar {
			kind = "-"
		}
		fmt.Printf("%s\t%s\t%s\t%s\t%d\n", kind, cf, caller, id.Name, pos.Line)
		return
	}
	fn = fn.Origin()
	def := fset.Position(fn.Pos())
	tf, err := filepath.Rel(root, def.Filename)
	if def.Filename == "" || err != nil || strings.HasPrefix(tf, "..") {
		fmt.Printf("-\t%s\t%s\t%s\t%d\n", cf, caller, id.Name, pos.Line)
		return
	}
	name := fn.Name()
	if r := fn.Type().(*types.Signature).Recv(); r != nil {
		t := r.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		} else {
			name = "?." + name
		}
	}
	out[fmt.Sprintf("=\t%s\t%s\t%s\t%s\t%d", cf, caller, tf, name, pos.Line)] = true
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	var mods []string
	filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && p != root || d.Name() == "testdata" || d.Name() == "vendor") {
			return filepath.SkipDir
		}
		if d.Name() == "go.mod" {
			mods = append(mods, p)
		}
		return nil
	})
	text, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	for _, l := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(l, "module ") {
			module = strings.TrimSpace(strings.TrimPrefix(l, "module "))
		}
	}
	var dirs []string
	filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && p != root || d.Name() == "testdata" || d.Name() == "vendor" {
				return filepath.SkipDir
			}
			for _, m := range mods {
				if p != root && filepath.Dir(m) == p {
					return filepath.SkipDir
				}
			}
			dirs = append(dirs, p)
		}
		return nil
	})
	for _, d := range dirs {
		rel, _ := filepath.Rel(root, d)
		path := module
		if rel != "." {
			path = module + "/" + filepath.ToSlash(rel)
		}
		check(d, path, "in", true)
		check(d, path+"_test", "ext", true)
	}
	var lines []string
	for l := range out {
		lines = append(lines, l)
	}
	sort.Strings(lines)
	for _, l := range lines {
		fmt.Println(l)
	}
}
