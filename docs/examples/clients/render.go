// Renders a page: go run render.go http://127.0.0.1:8080 out.png   (set OFFPRINT_TOKEN if the service requires a token)
// Signs a URL:    OFFPRINT_KEY='name secret' go run render.go sign /render/card.png title=Hello
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Problem is an error of the service: https://www.rfc-editor.org/rfc/rfc9457
type Problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// Render returns the PNG of a job. If the service is overloaded, it waits as long as Retry-After specifies.
func Render(address string, job map[string]any, token string, tries int) ([]byte, error) {
	body, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Timeout: time.Minute}
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest("POST", address+"/render", bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "application/json")
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := client.Do(request)
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode == http.StatusOK {
			return content, err
		}
		problem := &Problem{Status: answer.StatusCode, Code: "unknown"}
		_ = json.Unmarshal(content, problem)
		if (problem.Status != 429 && problem.Status != 503) || attempt == tries {
			return nil, problem
		}
		seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
		if err != nil {
			seconds = attempt
		}
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

// Pair is a parameter of a URL.
type Pair struct{ Name, Value string }

// Sign returns the path with its parameters and a signature.
func Sign(path string, parameters []Pair, name, secret string) string {
	quote := func(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
	all := append(append([]Pair{}, parameters...), Pair{"key", name})
	sort.SliceStable(all, func(a, b int) bool { return quote(all[a].Name)+"=" < quote(all[b].Name)+"=" })
	quoted := make([]string, len(all))
	for i, pair := range all {
		quoted[i] = quote(pair.Name) + "=" + quote(pair.Value)
	}
	query := strings.Join(quoted, "&")
	code := hmac.New(sha256.New, []byte(secret))
	code.Write([]byte("offprint-address-1\n" + path + "\n" + query))
	return path + "?" + query + "&signature=" + base64.RawURLEncoding.EncodeToString(code.Sum(nil))
}

func run() error {
	if len(os.Args) > 2 && os.Args[1] == "sign" {
		name, secret, _ := strings.Cut(os.Getenv("OFFPRINT_KEY"), " ")
		var parameters []Pair
		for _, argument := range os.Args[3:] {
			left, right, _ := strings.Cut(argument, "=")
			parameters = append(parameters, Pair{left, right})
		}
		fmt.Println(Sign(os.Args[2], parameters, name, secret))
		return nil
	}
	if len(os.Args) != 3 {
		return errors.New("usage: render.go URL OUTPUT")
	}
	image, err := Render(os.Args[1], map[string]any{"html": "<h1>Hello</h1>", "width": 400, "scale": 2}, os.Getenv("OFFPRINT_TOKEN"), 4)
	if err != nil {
		return err
	}
	return os.WriteFile(os.Args[2], image, 0o644)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
