/**
 * For ways of values that no open planted defect takes: the line in which the harm is done, within a function that takes the value
 * `given` from outside.
 */
const heads: Readonly<Record<string, readonly [path: string, before: string, after: string]>> = {
  c: ['src/a.c', 'int main(int argc, char **argv) {\n  char *given = argv[1];\n', '\n}\n'],
  csharp: [
    'src/A.cs',
    'class A : Controller {\n  IActionResult F() {\n    string given = Request.Query["a"];\n',
    '\n  }\n}\n',
  ],
  go: [
    'web/a.go',
    'package web\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tgiven := r.FormValue("a")\n',
    '\n}\n',
  ],
  java: [
    'src/A.java',
    'class A {\n  void f(HttpServletRequest request) throws Exception {\n    String given = request.getParameter("a");\n',
    '\n  }\n}\n',
  ],
  javascript: [
    'src/a.js',
    'router.get("/", (req, res) => {\n  const given = req.query.a;\n',
    '\n});\n',
  ],
  php: ['src/a.php', "<?php\n$given = $_GET['a'];\n", '\n'],
  python: ['app/a.py', 'def f(request):\n    given = request.GET["a"]\n', '\n'],
  ruby: ['app/a.rb', 'def f\n  given = params[:a]\n', '\nend\n'],
  rust: [
    'src/a.rs',
    'async fn f(Query(wanted): Query<Wanted>) -> Reply {\n    let given = wanted.a;\n',
    '\n}\n',
  ],
};

export const flowSamples: Readonly<Record<string, string>> = {
  'c-flow-shell': '  popen(given, "r");',
  'csharp-flow-directory': '    searcher.Filter = "(uid=" + given + ")";',
  'csharp-flow-name': '    var type = Type.GetType(given);',
  'csharp-flow-object': '    formatter.Deserialize(given);',
  'csharp-flow-page': '    return View(Html.Raw(given));',
  'csharp-flow-path': '    var text = File.ReadAllText(Path.Combine(root, given));',
  'csharp-flow-pattern': '    var pattern = new Regex(given);',
  'csharp-flow-redirect': '    return Redirect(given);',
  'go-flow-directory': '\tldap.NewSearchRequest(base, "(uid="+given+")")',
  'go-flow-markup': '\tio.WriteString(w, "<p>"+given+"</p>")',
  'go-flow-redirect': '\thttp.Redirect(w, r, given, 302)',
  'go-flow-shell': '\texec.Command("bash", "-c", "ls "+given)',
  'java-flow-directory': '    context.search("ou=people", "(uid=" + given + ")", controls);',
  'java-flow-name': '    Class.forName(given);',
  'java-flow-pattern': '    Pattern.compile(given);',
  'java-flow-shell': '    Runtime.getRuntime().exec("ls " + given);',
  'javascript-flow-document': '  people.find({ $where: `this.a == ${given}` });',
  'javascript-flow-markup': '  res.send(`<p>${given}</p>`);',
  'javascript-flow-name': '  const plugin = require(given);',
  'javascript-flow-object': '  const cart = serialize.unserialize(given);',
  'javascript-flow-page': '  box.insertAdjacentHTML("beforeend", given);',
  'javascript-flow-prototype': '  settings[given][field] = 1;',
  'javascript-flow-template': '  ejs.render(given, {});',
  'php-flow-name': 'call_user_func($given);',
  'php-flow-page': "printf('<b>%s</b>', $given);",
  'php-flow-pattern': 'preg_match($given, $text);',
  'php-flow-request': 'curl_setopt($handle, CURLOPT_URL, $given);',
  'python-flow-directory': '    connection.search_s(base, scope, "(uid=" + given + ")")',
  'python-flow-name': '    importlib.import_module(given)',
  'python-flow-object': '    marshal.loads(given)',
  'python-flow-pattern': '    re.compile(given)',
  'ruby-flow-directory': '  Net::LDAP::Filter.construct("(uid=#{given})")',
  'ruby-flow-pattern': '  Regexp.new(given)',
  'ruby-flow-request': '  Net::HTTP.get(URI.parse(given))',
  'rust-flow-markup': '    Html(format!("<p>{}</p>", given))',
  'rust-flow-path': '    std::fs::read(given)',
  'rust-flow-redirect': '    Redirect::to(&given)',
  'rust-flow-shell': '    Command::new("sh").arg("-c").arg(format!("ls {given}"))',
};

/** The whole text around a line of harm, and the number of that line. */
export function wholeSample(id: string): { path: string; text: string; line: number } {
  const [path, before, after] = heads[id.replace(/-.*$/, '')] ?? ['', '', ''];
  return {
    path,
    text: `${before}${flowSamples[id] ?? ''}${after}`,
    line: before.split('\n').length,
  };
}
