/** Code that is not what it looks like, and text of people all over the world that is: which of it the engine raises. */
import { describe, expect, it } from 'vitest';
import { foundIn } from './found-in.ts';

const [embed, override, pop] = ['\u202A', '\u202E', '\u202C'];
const [isolateLeft, isolateRight, isolateFirst, endIsolate] = [
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
];
const [nothing, joiner, nonJoiner, wordJoiner, mark] = [
  '\u200B',
  '\u200D',
  '\u200C',
  '\u2060',
  '\uFEFF',
];

/** A path and a line that a change adds to it. */
type Sample = readonly [kind: string, path: string, line: string];

const traps: readonly Sample[] = [
  // Early return: what stands behind a quote is shown as part of it.
  ['early return', 'bank.py', `    '''Subtract funds${isolateRight} ''' ;return`],
  ['early return', 'bank.js', `/* subtract${isolateRight}*/ return; /* funds ${endIsolate}*/`],
  ['early return', 'bank.go', `// subtract ${override}nruter`],
  ['early return', 'bank.rb', `# ok ${isolateLeft}${override} return if true`],
  // Commenting out: a check is shown as code and is a comment.
  [
    'commenting-out',
    'admin.js',
    `/*${override} } ${isolateLeft}if (isAdmin)${endIsolate} ${isolateLeft} begin admins only */`,
  ],
  [
    'commenting-out',
    'admin.c',
    `/*${override} } ${isolateLeft}if (isAdmin)${endIsolate}${isolateLeft} begin */`,
  ],
  ['commenting-out', 'admin.rs', `/*${embed} } if is_admin ${pop}*/`],
  ['commenting-out', 'Admin.java', `// ${isolateFirst}check${endIsolate}`],
  ['commenting-out', 'admin.sql', `-- ${override}${isolateLeft}where owner = me`],
  // Stretched string: what looks like a comment is part of the value.
  [
    'stretched string',
    'access.js',
    `if (level != "user${override} ${isolateLeft}// is admin${endIsolate} ${isolateLeft}") {`,
  ],
  [
    'stretched string',
    'access.py',
    `if level != 'none${override}${isolateLeft}': # root ' and ${endIsolate}`,
  ],
  ['stretched string', 'access.cs', `var level = "user${isolateRight}";`],
  ['stretched string', 'access.ts', `const level = 'user${nothing}';`],
  ['stretched string', 'access.kt', `val level = "us${wordJoiner}er"`],
  ['stretched string', 'access.yaml', `level: user${nothing}`],
  ['stretched string', 'access.json', `{"level": "user${override}"}`],
  // Homoglyphs: another function of a name that looks the same.
  ['homoglyph', 'hash.cpp', 'void s\u0430yHello() {}'],
  ['homoglyph', 'hash.js', 'function is\u0410dmin() { return true }'],
  ['homoglyph', 'hash.py', 'def \u0441heck(user): return True'],
  ['homoglyph', 'hash.go', 'func Va\u04CFidate() {}'],
  ['homoglyph', 'hash.rs', 'fn verify_t\u043Eken() {}'],
  ['homoglyph', 'hash.ts', "import x from 'l\u043Edash'"],
  ['homoglyph', 'hash.java', 'String p\u0430ssword = null;'],
  ['homoglyph', 'hash.rb', 'def \u0440ublish; end'],
  ['homoglyph', 'hash.php', '$\u0455ql = 1;'],
  ['homoglyph', 'hash.sh', 'c\u03BFrp=1'],
  ['homoglyph', 'package.yaml', 'url: https://g\u0456thub.com/x'],
  ['homoglyph', 'requirements.txt', 'r\u0435quests==2.0'],
  ['homoglyph', 'deep.js', 'const us\u0435r\u0406d = 1;'],
  ['homoglyph, fullwidth', 'wide.js', 'const ｅval = run;'],
  ['homoglyph, small capitals', 'small.js', 'function ɡet() {}'],
  ['homoglyph, mathematical', 'maths.py', 'def 𝐢s_admin(): return True'],
  ['homoglyph, Armenian', 'armenian.js', 'const \u0585wner = 1;'],
  ['homoglyph, Cherokee', 'cherokee.js', 'const \u13AAdmin = 1;'],
  ['homoglyph, whole word', 'whole.js', 'if (\u0441\u043E\u0440\u0443(a)) {}'],
  ['homoglyph, whole word', 'whole.py', 'def \u0441\u043E\u0440\u0443: pass'],
  // Invisible functions and parameters.
  ['invisible', 'ghost.js', 'const { timeout,\u3164} = req.query;'],
  ['invisible', 'ghost.js', 'function \uFFA0() {}'],
  ['invisible', 'ghost.py', `def check${nonJoiner}(user): return True`],
  ['invisible', 'ghost.js', `const is${nothing}Admin = true;`],
  ['invisible', 'ghost.go', `var a${joiner}b = 1`],
  ['invisible', 'ghost.c', `int user${mark}id;`],
  ['invisible', 'ghost.ts', `const a = '\u{E0041}\u{E0042}';`],
  ['invisible', 'ghost.rs', `let a\u2062b = 1;`],
  ['invisible', 'ghost.js', `eval(decode("\u{E0101}\u{E0102}\u{E0103}"));`],
  ['invisible', 'ghost.js', `const a\u115F = 1;`],
  ['invisible', 'AGENTS.md', `Be kind.\u{E0049}\u{E0067}\u{E006E}`],
  ['invisible', 'mongolian.js', `const a\u180E = 1;`],
];

const harmless: readonly Sample[] = [
  ['Hebrew comment', 'a.js', '// שלום עולם'],
  ['Arabic comment', 'a.py', '# مرحبا بالعالم'],
  ['Hebrew string', 'a.ts', "const hello = 'שלום, עולם!';"],
  ['Arabic string and code', 'a.go', 'fmt.Println("مرحبا", name) // تحية'],
  ['Persian with joiners', 'a.js', "const day = 'نیم\u200Cروز';"],
  ['Hebrew with a mark', 'a.js', "const t = 'שלום\u200F!';"],
  ['Arabic letter mark', 'a.js', "const t = '\u061Cالسعر 5';"],
  ['translation', 'locale/ar.po', `msgstr "${isolateRight}مرحبا${endIsolate} %s"`],
  ['translation', 'locale/fa.json', '{"today": "امروز نیم\u200Cروز"}'],
  ['translation', 'locale/ar.arb', `{"a": "${isolateFirst}{name}${endIsolate}"}`],
  ['Markdown right to left', 'docs/fa.md', `متن ${embed}C++${pop} است`],
  ['Markdown with nothing wide', 'docs/km.md', 'ភាសា\u200Bខ្មែរ'],
  ['emoji family', 'a.js', "const e = '👨\u200D👩\u200D👧\u200D👦';"],
  ['emoji with a tone', 'a.js', "const e = '👩🏽\u200D💻';"],
  ['emoji heart', 'a.js', "const e = '❤\uFE0F\u200D🔥';"],
  ['rainbow flag', 'a.ts', "const e = '🏳\uFE0F\u200D🌈';"],
  ['keycap', 'a.py', "e = '1\uFE0F\u20E3'"],
  ['flag of Scotland', 'a.js', "'🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'"],
  ['polar bear', 'a.js', "const e = '🐻\u200D❄\uFE0F';"],
  ['Chinese', 'a.js', "const 名字 = '你好，世界';"],
  ['Japanese', 'a.py', '# これはテストです'],
  ['Japanese variation', 'a.js', "const t = '葛\u{E0100}城';"],
  ['Korean', 'A.java', 'String 이름 = "안녕";'],
  ['fullwidth punctuation', 'a.js', '// 注意：這裡（很重要）！'],
  ['fullwidth digits in text', 'a.js', "const t = '第１章';"],
  ['Russian comment', 'a.js', '// проверка пользователя'],
  ['Russian identifier', 'a.py', 'имя = "Анна"'],
  ['Russian and Latin in one line', 'a.go', '// функция Validate проверяет token'],
  ['Russian words of twins alone', 'a.js', '// со всех сторон'],
  ['Russian ending', 'a.js', '// список URLов и PDFка'],
  ['Russian camel case', 'a.js', 'const пользовательId = 1;'],
  ['Ukrainian', 'a.py', '# і це теж'],
  ['Serbian', 'locale/sr.json', '{"a": "Добар дан"}'],
  ['Greek in maths', 'a.py', 'Δx = ρ * ν + α'],
  ['Greek letter with a name', 'a.jl', 'σ_max = λ_0 * μs'],
  ['Greek derivative', 'a.jl', 'dρdt = -∇(ρv)'],
  ['Greek prose', 'a.js', '// Καλημέρα κόσμε'],
  ['Micro sign', 'a.js', "const unit = 'µm';"],
  ['Hindi', 'a.js', "const t = 'क्\u200Dष';"],
  ['Bengali', 'a.js', "const t = 'র\u200D্য';"],
  ['Thai', 'a.js', "const t = 'สวัสดี';"],
  ['Sinhala', 'a.js', "const t = 'ශ්\u200Dරී';"],
  ['accents', 'a.js', "const café = 'naïve Ångström ß';"],
  ['combining accents', 'a.js', "const t = 'e\u0301';"],
  ['soft hyphen', 'a.ts', "const t = 'Donau\u00ADdampf';"],
  ['no-break space', 'a.ts', "const t = '5\u00A0km';"],
  ['mark at the start of a Markdown file', 'a.md', 'plain'],
  ['mathematical letters in prose', 'docs/a.md', 'Let 𝐱 be a vector.'],
  ['Armenian', 'a.js', "const t = 'Բարեւ';"],
  ['Georgian', 'a.js', "const t = 'გამარჯობა';"],
  ['Vietnamese', 'a.js', "const t = 'Tiếng Việt';"],
  ['box drawing', 'a.js', "const t = '├── ▲ ✓ → …';"],
  ['wide letters in Japanese', 'a.js', '// Ａ面とB面のＡＰＩ'],
  ['bold letters in formulas', 'a.jl', '𝐱_max = d𝐱 + 𝐀 * 𝐱'],
  ['phonetic writing', 'a.ts', "const say = 'ɡoʊ bɪɡ';"],
  ['Russian word of twins in brackets', 'a.js', '// сор (мусор)'],
  ['Russian program', 'a.py', 'def сорт(хор): return хор(сорт)'],
  ['Armenian ending', 'a.js', '// PDFում'],
  ['private use icon', 'a.js', "const t = '\uE0B0';"],
];

function isRaised([, path, line]: Sample) {
  return foundIn(path, line).length > 0;
}

describe('text that is not what it looks like', () => {
  it('is raised, whichever trick it is', () =>
    expect(traps.filter(sample => !isRaised(sample))).toEqual([]));

  it('is not raised where people write their language', () =>
    expect(harmless.filter(isRaised)).toEqual([]));
});
