// Reads JSON lines {"name", "sql"} from standard input and prints the name and the fault of each statement that
// CockroachDB's own parser does not take. Exit code 1 when there was one.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/cockroachdb/cockroachdb-parser/pkg/sql/parser"
	_ "github.com/cockroachdb/cockroachdb-parser/pkg/sql/plpgsql/parser" // DO blocks and functions panic without it
)

type statement struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 16<<20)
	failed := 0
	for input.Scan() {
		var s statement
		if err := json.Unmarshal(input.Bytes(), &s); err != nil {
			fmt.Println("not a JSON line:", err)
			failed++
			continue
		}
		if _, err := parser.Parse(s.SQL); err != nil {
			fmt.Printf("%s: %v\n", s.Name, err)
			failed++
		}
	}
	if err := input.Err(); err != nil {
		fmt.Println(err)
		failed++
	}
	if failed > 0 {
		os.Exit(1)
	}
}
