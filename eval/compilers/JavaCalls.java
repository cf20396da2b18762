import com.sun.source.tree.*;
import com.sun.source.util.*;
import javax.lang.model.element.*;
import javax.lang.model.util.Elements;
import javax.tools.*;
import java.nio.file.*;
import java.util.*;

/**
 * Writes what javac says of each call site of a repository, for `calls.py sites`:
 *
 *   java JavaCalls.java REPOSITORY SOURCE_FOLDER... > SITES.tsv
 *
 * A line is a mark, the caller's file and method, and for "=" (a call) and "@" (an anonymous class) the definition's file
 * and name (`#2` for the second of a name in its class), then the line; "-" goes out of the sources, "?" is a call that
 * javac could not place, mostly for want of a jar.
 */
public class JavaCalls {
    static Path root;
    static String rel(CompilationUnitTree u) { return root.relativize(Paths.get(u.getSourceFile().toUri())).toString(); }
    static String cls(Element e) {
        Element up = e.getEnclosingElement();
        while (up != null && !(up.getKind().isClass() || up.getKind().isInterface()) && up.getKind() != ElementKind.PACKAGE) up = up.getEnclosingElement();
        String own = e.getSimpleName().toString();
        return up == null || up.getKind() == ElementKind.PACKAGE ? own : cls(up) + "." + own;
    }
    static String name(Element e) {
        if (e.getKind().isClass() || e.getKind().isInterface()) return cls(e);
        Element c = e.getEnclosingElement();
        String n = e.getSimpleName().toString();
        if (n.equals("<init>")) n = c.getSimpleName().toString();
        int ord = 0;
        for (Element x : c.getEnclosedElements()) {
            if (x.getSimpleName().equals(e.getSimpleName()) && x.getKind() == e.getKind()) { ord++; if (x == e) break; }
        }
        return cls(c) + "." + n + (ord > 1 ? "#" + ord : "");
    }
    public static void main(String[] a) throws Exception {
        root = Paths.get(a[0]).toAbsolutePath().normalize();
        List<Path> files = new ArrayList<>();
        for (int i = 1; i < a.length; i++) try (var s = Files.walk(root.resolve(a[i]))) { s.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java") && !p.endsWith("package-info.java")).forEach(files::add); }
        JavaCompiler c = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager fm = c.getStandardFileManager(null, null, null);
        JavacTask t = (JavacTask) c.getTask(null, fm, d -> {}, List.of("-proc:none", "-Xmaxerrs", "100000", "--should-stop=ifError=FLOW"), null, fm.getJavaFileObjectsFromPaths(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        t.parse().forEach(units::add);
        t.analyze();
        Trees trees = Trees.instance(t);
        Set<String> out = new TreeSet<>();
        for (CompilationUnitTree u : units) {
            new TreePathScanner<Void, Void>() {
                String caller() {
                    String got = null;
                    for (TreePath p = getCurrentPath(); p != null; p = p.getParentPath()) {
                        Tree.Kind k = p.getLeaf().getKind();
                        if (k == Tree.Kind.METHOD) {
                            Element e = trees.getElement(p);
                            // anonymous and local classes are charged to what holds them
                            if (e != null) { String n = name(e); if (!n.startsWith(".") && !n.contains("..")) got = n; }
                        }
                    }
                    return got == null ? "<module>" : got;
                }
                void site(Element e, Tree at) {
                    long line = u.getLineMap().getLineNumber(trees.getSourcePositions().getEndPosition(u, at instanceof MethodInvocationTree m ? m.getMethodSelect() : at instanceof NewClassTree n ? n.getIdentifier() : at));
                    String from = rel(u) + "\t" + caller();
                    if (e == null || !(e.getKind() == ElementKind.METHOD || e.getKind() == ElementKind.CONSTRUCTOR)) { out.add("?\t" + from + "\t" + at.toString().split("\\(")[0].replaceAll("\\s", "") + "\t" + line); return; }
                    if (e.getEnclosingElement().getSimpleName().length() == 0) e = e.getEnclosingElement();
                    TreePath def = trees.getPath(e.getKind() == ElementKind.CONSTRUCTOR ? e.getEnclosingElement() : e);
                    if (def == null) { out.add("-\t" + from + "\t" + e.getSimpleName() + "\t" + line); return; }
                    String n = name(e);
                    // A constructor that is not written is its class.
                    if (e.getKind() == ElementKind.CONSTRUCTOR && t.getElements().getOrigin(e) == Elements.Origin.MANDATED) n = cls(e.getEnclosingElement());
                    out.add("=\t" + from + "\t" + rel(def.getCompilationUnit()) + "\t" + n + "\t" + line);
                }
                @Override public Void visitMethodInvocation(MethodInvocationTree m, Void v) { String s = m.getMethodSelect().toString(); if (trees.getSourcePositions().getEndPosition(u, m) > 0) site(trees.getElement(getCurrentPath()), m); return super.visitMethodInvocation(m, v); }
                @Override public Void visitNewClass(NewClassTree n, Void v) {
                    Element e = trees.getElement(getCurrentPath());
                    if (n.getClassBody() != null) { e = trees.getElement(new TreePath(getCurrentPath(), n.getIdentifier())); if (e != null) { TreePath d = trees.getPath(e); if (d != null) { out.add("@\t" + rel(u) + "\t" + caller() + "\t" + rel(d.getCompilationUnit()) + "\t" + cls(e) + "\t" + u.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(u, n))); } } }
                    else site(e, n);
                    return super.visitNewClass(n, v);
                }
            }.scan(u, null);
        }
        out.forEach(System.out::println);
    }
}
