//! What Java's library is, as far as it picks between overloads: which of its classes derive from which, and what its
//! commonest methods give.

use super::java_types::{Static, unboxed};
use crate::facts::LiteralKind;

/// The supertypes of a class of the library by its simple name, `Object` left out; `None` for one that is not listed
/// (the functional interfaces among them).
pub(crate) fn supertypes(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        // `Comparable` is hardly ever written as a lambda.
        "Object" | "Locale" | "Pattern" | "Matcher" | "Charset" | "Optional" | "Random" | "Iterator" | "Throwables"
        | "TimeZone" | "Type" | "Collator" | "ClassLoader" | "TypeToken" | "Appendable" | "Closeable"
        | "Serializable" | "CharSequence" | "AnnotatedElement" | "Member" | "Readable" | "Cloneable"
        | "AutoCloseable" | "Annotation" | "Void" | "Comparable" | "Constable" | "Flushable" => &[],
        "String" => &["CharSequence", "Comparable", "Serializable", "Constable"],
        "StringBuilder" | "StringBuffer" => &["CharSequence", "Appendable", "Comparable", "Serializable"],
        "CharBuffer" => &["CharSequence", "Appendable", "Comparable", "Readable"],
        "Integer" | "Long" | "Short" | "Byte" | "Float" | "Double" | "BigInteger" | "BigDecimal" => {
            &["Number", "Comparable"]
        }
        "AtomicInteger" | "AtomicLong" => &["Number"],
        "Number" => &["Serializable"],
        "Character" | "Boolean" | "Date" | "Calendar" => &["Comparable", "Serializable"],
        "GregorianCalendar" => &["Calendar"],
        "Timestamp" => &["Date"],
        "UUID" | "File" | "Instant" | "Duration" | "LocalDate" | "LocalDateTime" | "ZonedDateTime" => {
            &["Comparable", "Serializable"]
        }
        "URI" | "URL" => &["Comparable", "Serializable"],
        "Class" => &["Type", "AnnotatedElement", "Serializable"],
        "Method" | "Constructor" => &["Executable"],
        "Executable" => &["AccessibleObject", "Member"],
        "Field" => &["AccessibleObject", "Member"],
        "AccessibleObject" => &["AnnotatedElement"],
        "ParameterizedType" | "GenericArrayType" | "WildcardType" | "TypeVariable" => &["Type"],
        "List" | "Set" | "Queue" | "SortedSet" => &["Collection"],
        "Deque" => &["Queue"],
        "Collection" => &["Iterable"],
        "Iterable" => &[],
        "ListIterator" => &["Iterator"],
        "ArrayList" | "LinkedList" | "Vector" | "CopyOnWriteArrayList" => &["List", "Cloneable", "Serializable"],
        "HashSet" | "TreeSet" | "LinkedHashSet" | "EnumSet" => &["Set", "Cloneable", "Serializable"],
        "ArrayDeque" => &["Deque", "Cloneable", "Serializable"],
        "Map" => &[],
        "SortedMap" | "NavigableMap" | "ConcurrentMap" => &["Map"],
        "HashMap" | "LinkedHashMap" | "TreeMap" | "EnumMap" | "Hashtable" | "Properties" => {
            &["Map", "Cloneable", "Serializable"]
        }
        "ConcurrentHashMap" => &["ConcurrentMap", "Serializable"],
        "Throwable" => &["Serializable"],
        "Exception" | "Error" => &["Throwable"],
        "RuntimeException" | "IOException" | "ReflectiveOperationException" | "InterruptedException" => &["Exception"],
        "IllegalArgumentException"
        | "IllegalStateException"
        | "NullPointerException"
        | "UnsupportedOperationException"
        | "IndexOutOfBoundsException"
        | "ClassCastException"
        | "ArithmeticException" => &["RuntimeException"],
        "NumberFormatException" => &["IllegalArgumentException"],
        "Reader" => &["Readable", "Closeable"],
        "Writer" | "PrintStream" => &["Appendable", "Closeable", "Flushable"],
        "InputStream" | "OutputStream" => &["Closeable"],
        _ if name.ends_with("Reader") => &["Reader"],
        _ if name.ends_with("Writer") => &["Writer"],
        _ if name.ends_with("InputStream") => &["InputStream"],
        _ if name.ends_with("OutputStream") => &["OutputStream"],
        _ => return None,
    })
}

/// What a method of the library gives, by its name.
pub(crate) fn gives(receiver: &Static<'_>, method: &str) -> Static<'static> {
    use LiteralKind::{Bool, Byte, Char, Double, Float, Int, Long, Short};
    let kind = match method {
        "length" | "size" | "indexOf" | "lastIndexOf" | "hashCode" | "compareTo" | "compare" | "intValue"
        | "ordinal" | "parseInt" | "nextInt" | "bitCount" | "codePointAt" | "getNumericValue" | "getModifiers"
        | "signum" | "identityHashCode" => Int,
        "charAt" => Char,
        "equals" | "isEmpty" | "contains" | "startsWith" | "endsWith" | "hasNext" | "containsKey" | "isPresent"
        | "matches" | "isArray" | "isInstance" | "isAssignableFrom" | "isInterface" | "isPrimitive" | "isEnum"
        | "booleanValue" | "parseBoolean" | "isDigit" | "isLetter" | "isWhitespace" | "equalsIgnoreCase" | "isNaN"
        | "hasMoreElements" | "isBlank" | "isUpperCase" | "isLowerCase" => Bool,
        "longValue" | "nanoTime" | "currentTimeMillis" | "parseLong" | "nextLong" | "toMillis" | "toNanos"
        | "getTimeInMillis" => Long,
        "doubleValue" | "sqrt" | "pow" | "floor" | "ceil" | "parseDouble" | "nextDouble" | "longBitsToDouble" => Double,
        "floatValue" | "parseFloat" | "nextFloat" | "intBitsToFloat" => Float,
        "shortValue" | "parseShort" => Short,
        "byteValue" | "parseByte" => Byte,
        "charValue" => Char,
        _ => return object(receiver, method),
    };
    Static::Primitive(kind)
}

fn object(receiver: &Static<'_>, method: &str) -> Static<'static> {
    let array = |inner| Static::Array(Box::new(inner));
    let text = || Static::Library("String");
    match method {
        "toString"
        | "substring"
        | "trim"
        | "getName"
        | "getSimpleName"
        | "getCanonicalName"
        | "getTypeName"
        | "toLowerCase"
        | "toUpperCase"
        | "getMessage"
        | "getLocalizedMessage"
        | "concat"
        | "replaceAll"
        | "replaceFirst"
        | "strip"
        | "repeat"
        | "nextLine"
        | "readLine"
        | "getAbsolutePath"
        | "toHexString"
        | "toBinaryString"
        | "lineSeparator"
        | "getProperty"
        | "intern"
        | "toGenericString" => text(),
        "format" | "join" | "replace" | "copyValueOf" if matches!(receiver, Static::Library("String")) => text(),
        "toCharArray" => array(Static::Primitive(LiteralKind::Char)),
        "getBytes" | "toByteArray" => array(Static::Primitive(LiteralKind::Byte)),
        "split" => array(text()),
        "getClass" | "getSuperclass" | "getComponentType" | "getDeclaringClass" | "getEnclosingClass" | "forName"
        | "getReturnType" => Static::Library("Class"),
        "getParameterTypes" | "getInterfaces" | "getExceptionTypes" => array(Static::Library("Class")),
        "getStackTrace" => array(Static::Library("StackTraceElement")),
        "getMethods" | "getDeclaredMethods" => array(Static::Library("Method")),
        "getFields" | "getDeclaredFields" => array(Static::Library("Field")),
        "keySet" | "entrySet" => Static::Library("Set"),
        "append" | "insert" | "reverse" | "deleteCharAt" => match receiver {
            Static::Library("StringBuilder") => Static::Library("StringBuilder"),
            Static::Library("StringBuffer") => Static::Library("StringBuffer"),
            _ => Static::Unknown,
        },
        "valueOf" => match receiver {
            Static::Library("String") => text(),
            Static::Library("BigDecimal") => Static::Library("BigDecimal"),
            Static::Library("BigInteger") => Static::Library("BigInteger"),
            Static::Library(name) => match unboxed(name) {
                Some(LiteralKind::Int) => Static::Library("Integer"),
                Some(LiteralKind::Long) => Static::Library("Long"),
                Some(LiteralKind::Short) => Static::Library("Short"),
                Some(LiteralKind::Byte) => Static::Library("Byte"),
                Some(LiteralKind::Char) => Static::Library("Character"),
                Some(LiteralKind::Bool) => Static::Library("Boolean"),
                Some(LiteralKind::Float) => Static::Library("Float"),
                Some(LiteralKind::Double) => Static::Library("Double"),
                _ => Static::Unknown,
            },
            _ => Static::Unknown,
        },
        "asList" => Static::Library("List"),
        _ => Static::Unknown,
    }
}

/// What a constant of a class of the library is.
pub(crate) fn constant(class: &str, name: &str) -> Static<'static> {
    use LiteralKind::{Double, Int};
    match (class, name) {
        ("Float" | "Double", "NaN" | "POSITIVE_INFINITY" | "NEGATIVE_INFINITY" | "MAX_VALUE" | "MIN_VALUE")
        | (_, "MAX_VALUE" | "MIN_VALUE") => unboxed(class).map_or(Static::Unknown, Static::Primitive),
        (_, "SIZE" | "BYTES") => Static::Primitive(Int),
        ("Boolean", "TRUE" | "FALSE") => Static::Library("Boolean"),
        ("Calendar" | "Pattern" | "Modifier", _) => Static::Primitive(Int),
        ("StandardCharsets", _) => Static::Library("Charset"),
        ("System", "out" | "err") => Static::Library("PrintStream"),
        ("Locale", _) => Static::Library("Locale"),
        ("BigDecimal", _) => Static::Library("BigDecimal"),
        ("BigInteger", _) => Static::Library("BigInteger"),
        ("Math", _) => Static::Primitive(Double),
        _ => Static::Unknown,
    }
}
