// COPY of the rows of a first load, one statement a table. {file} is an unlinked CSV file that the process holds open;
// {parallel} is false where a field holds a line feed. Every field is quoted, and {null}, the text that
// would stand for NULL, is drawn at random for each COPY: so all text, empty or not, comes back as it is.

// name: File
COPY File FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: DEFINES
COPY DEFINES FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: CONTAINS
COPY CONTAINS FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: CALLS
COPY CALLS FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: REFERENCES
COPY REFERENCES FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: INHERITS
COPY INHERITS FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: TESTS
COPY TESTS FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: IMPORTS
COPY IMPORTS FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: Commit
COPY Commit FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: Person
COPY Person FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: AUTHORED
COPY AUTHORED FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: TOUCHED
COPY TOUCHED FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// name: CO_CHANGES
COPY CO_CHANGES FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}']);

// Names that could not be resolved come as one text, split at line feeds. The engine knows no
// escape for one in a string literal (it reads '\n' as the letter), so it stands there as it is.
// name: Symbol
COPY Symbol FROM (
    LOAD WITH HEADERS (
        id STRING, name STRING, qualname STRING, kind STRING, file STRING, start_line INT64, end_line INT64,
        signature STRING, doc STRING, is_test BOOLEAN, exported BOOLEAN, entry_point BOOLEAN, call_names INT64,
        rank DOUBLE, unresolved STRING, present BOOLEAN
    ) FROM '{file}' (file_format='csv', header=false, auto_detect=false, parallel={parallel}, delim=',', quote='"', escape='"', null_strings=['{null}'])
    RETURN id, name, qualname, kind, file, start_line, end_line, signature, doc, is_test, exported, entry_point,
        call_names, rank,
        CASE WHEN unresolved = '' THEN CAST([] AS STRING[]) ELSE string_split(unresolved, '
') END, present
);
