//! Java: a small project with all its edges.

use super::resolve_project::assert_edges;

#[test]
fn packages_inheritance_overloads_and_implicit_this() {
    assert_edges(
        "
--- src/main/java/com/acme/shapes/Shape.java
package com.acme.shapes;
public abstract class Shape implements Drawable {
    protected Helper helper = new Helper();
    public Shape(String name) { init(); }
    void init() { helper.help(); }
    public void move(int x) { move(x, 0); }
    public void move(int x, int y) { draw(); }
    public static Shape of(String n) { return new Circle(n); }
}
--- src/main/java/com/acme/shapes/Drawable.java
package com.acme.shapes;
public interface Drawable { void draw(); }
--- src/main/java/com/acme/shapes/Helper.java
package com.acme.shapes;
class Helper { void help() {} }
--- src/main/java/com/acme/shapes/Circle.java
package com.acme.shapes;
public class Circle extends Shape {
    public Circle(String n) { super(n); }
    @Override public void draw() { Inner i = new Inner(); i.spin(); }
    class Inner { void spin() { init(); } }
}
--- src/main/java/com/acme/App.java
package com.acme;
import com.acme.shapes.Shape;
import com.acme.shapes.*;
import static com.acme.util.Texts.trim;
import java.util.List;
public class App {
    public static void main(String[] args) {
        Shape s = Shape.of(trim(\"x\"));
        s.move(1);
        s.move(1, 2);
        for (Shape t : all()) { t.draw(); }
        System.out.println(s);
    }
    static List<Shape> all() { return null; }
}
--- src/main/java/com/acme/util/Texts.java
package com.acme.util;
public class Texts { public static String trim(String s) { return s.trim(); } }
",
        &["CALLS", "INHERITS", "UNRESOLVED"],
        "
INHERITS src/main/java/com/acme/shapes/Circle.java::Circle -> src/main/java/com/acme/shapes/Shape.java::Shape [import]
INHERITS src/main/java/com/acme/shapes/Shape.java::Shape -> src/main/java/com/acme/shapes/Drawable.java::Drawable [import]
CALLS src/main/java/com/acme/shapes/Shape.java::Shape -> src/main/java/com/acme/shapes/Helper.java::Helper [import]
CALLS src/main/java/com/acme/shapes/Shape.java::Shape.Shape -> src/main/java/com/acme/shapes/Shape.java::Shape.init [type]
CALLS src/main/java/com/acme/shapes/Shape.java::Shape.init -> src/main/java/com/acme/shapes/Helper.java::Helper.help [type]
CALLS src/main/java/com/acme/shapes/Shape.java::Shape.move -> src/main/java/com/acme/shapes/Shape.java::Shape.move#2 [type]
CALLS src/main/java/com/acme/shapes/Shape.java::Shape.move#2 -> src/main/java/com/acme/shapes/Drawable.java::Drawable.draw [type]
CALLS src/main/java/com/acme/shapes/Shape.java::Shape.move#2 -> src/main/java/com/acme/shapes/Circle.java::Circle.draw [override]
CALLS src/main/java/com/acme/shapes/Shape.java::Shape.of -> src/main/java/com/acme/shapes/Circle.java::Circle.Circle [import]
CALLS src/main/java/com/acme/shapes/Circle.java::Circle.Circle -> src/main/java/com/acme/shapes/Shape.java::Shape.Shape [type]
CALLS src/main/java/com/acme/shapes/Circle.java::Circle.draw -> src/main/java/com/acme/shapes/Circle.java::Circle.Inner [type]
CALLS src/main/java/com/acme/shapes/Circle.java::Circle.draw -> src/main/java/com/acme/shapes/Circle.java::Circle.Inner.spin [type]
CALLS src/main/java/com/acme/shapes/Circle.java::Circle.Inner.spin -> src/main/java/com/acme/shapes/Shape.java::Shape.init [type]
CALLS src/main/java/com/acme/App.java::App.main -> src/main/java/com/acme/shapes/Shape.java::Shape.of [type]
CALLS src/main/java/com/acme/App.java::App.main -> src/main/java/com/acme/util/Texts.java::Texts.trim [import]
CALLS src/main/java/com/acme/App.java::App.main -> src/main/java/com/acme/shapes/Shape.java::Shape.move [type]
CALLS src/main/java/com/acme/App.java::App.main -> src/main/java/com/acme/shapes/Shape.java::Shape.move#2 [type]
CALLS src/main/java/com/acme/App.java::App.main -> src/main/java/com/acme/App.java::App.all [type]
CALLS src/main/java/com/acme/App.java::App.main -> src/main/java/com/acme/shapes/Circle.java::Circle.draw [override]
CALLS src/main/java/com/acme/App.java::App.main -> src/main/java/com/acme/shapes/Drawable.java::Drawable.draw [type]
",
    );
}
