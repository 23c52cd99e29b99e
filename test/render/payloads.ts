/** Sixty things a reviewer, a file name or a commit may say to take over a terminal, a log or a page. */
const escape = '\u001B';

const sequences = [
  '[2J', '[H', '[31m', '[0m', '[8m', '[?25l', '[?1049h', '[6n', '[c', '[1A', '[999D', '[5i', '[!p', '[?2026h', '[10;20r',
  ']0;owned\u0007', ']2;owned\u001B\\', ']8;;https://evil.example\u0007click\u001B]8;;\u0007', ']52;c;ZWNobyBvd25lZA==\u0007', ']1337;File=name=eA==:AA==\u0007', ']9;hello\u0007', ']4;1;rgb:00/00/00\u0007',
  'Pq#0;2;0;0;0\u001B\\', '_Gf=100;AAAA\u001B\\', '^private\u001B\\', 'c', '#8', '(0', '7', '8', 'M', 'N', 'O',
].map(rest => `${escape}${rest}`);

const singles = [
  '\u0000', '\u0007', '\u0008\u0008\u0008', '\u000B', '\u000C', '\u000E', '\u001A', '\u007F', '\u0085', '\u0090', '\u009B31m', '\u009D0;owned\u009C', '\u009F',
  'over\rwritten', '\u202Egpj.exe', '\u2066hidden\u2069', '\u200B', '\u2028', '\uFEFF', '\u{E0041}\u{E0042}',
];

const inMarkup = [
  '<script>alert(1)</script>', '![x](https://evil.example/?q=1)', '[click](javascript:alert(1))', '@team please merge', 'fixes #1', '::error file=a.js::owned', '\n::set-output name=a::b', '`` ` `` ``` <img src=x onerror=alert(1)>', '| a | b |\n| --- | --- |', '</details><h1>owned</h1>',
];

export const payloads: readonly string[] = [...sequences, ...singles, ...inMarkup];
