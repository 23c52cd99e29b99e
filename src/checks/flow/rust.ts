/** Ways of values in Rust: extractors of Axum, Actix and Rocket. */
import type { FlowTable } from './table.ts';

export const rustFlow: FlowTable = {
  language: 'rust',
  grammars: ['rust'],
  sources: [
    {
      of: 'parameter',
      text: /^(?:(?:web|extract)::)?(?:Query|Path|Form|Json)\(\w+\)\s*:\s*(?:\w+::)*(?:Query|Path|Form|Json)<(?!\(?\s*(?:[iu]\d+|usize|bool|Uuid))/,
    },
    {
      of: 'parameter',
      text: /^\w+\s*:\s*web::(?:Query|Path|Form)<(?!\(?\s*(?:[iu]\d+|usize|bool|Uuid))/,
    },
  ],
  sinks: [
    {
      of: 'call',
      kind: 'sql',
      name: /^(?:sqlx::query(?:_as|_scalar)?|diesel::sql_query|sql_query)(?:::<.*>)?$|\.(?:execute|query|query_one|query_opt|prepare|batch_execute|raw_sql)$/,
    },
    {
      of: 'call',
      kind: 'shell',
      name: /(?:\.arg|^Command::new|\.Command::new)$/,
      when: /^(?:std::process::)?Command::new\(\s*"(?:\/bin\/)?(?:ba)?sh"\s*\)\s*\.arg\(\s*"-c"/,
    },
    {
      of: 'call',
      kind: 'path',
      name: /(?:^|::)(?:fs::(?:read|read_to_string|write|remove_file|remove_dir_all|create_dir_all|read_dir|File::open|File::create)|File::(?:open|create)|NamedFile::open(?:_async)?)$/,
    },
    {
      of: 'call',
      kind: 'redirect',
      name: /^(?:axum::response::)?Redirect::(?:to|temporary|permanent)$/,
    },
    {
      of: 'call',
      kind: 'request',
      name: /^reqwest::(?:blocking::)?get$|(?:client|Client::new\(\))\.(?:get|post|put|delete)$/,
    },
    { of: 'call', kind: 'markup', name: /^(?:axum::response::)?Html$/ },
  ],
  carriers:
    /^(?:format|String::from|PathBuf::from|Path::new|Url::parse)$|\.(?:to_string|to_owned|clone|into|as_str|as_ref|join|trim|into_inner|unwrap|unwrap_or_default|expect|push_str)$/,
  cleaners: [
    {
      name: /\.(?:parse|parse::<.*>|len|is_empty|contains|starts_with|ends_with|eq|replace|split|chars|file_name)$/,
    },
    { name: /(?:^|[._:])(?:sanit|valid|safe|clean|allow|check|verify|escape|quote|encode)\w*$/i },
  ],
};
