/** E: texts that are no review at all. */
import { sent } from '../reading-options.ts';
import { all, bases, briefsOf, everyFormat, json, nonce, units, type Kinds } from './samples.ts';

const plain = bases[0] ?? [];

const refusals = [
  "I'm sorry, but I can't help with that.",
  'I cannot assist with this request.',
  "I'm not able to review this code.",
  'I must decline to review this change.',
  'As an AI language model, I cannot do that.',
  "I apologize, but I won't be able to assist with reviewing this.",
  'This request violates our content policy.',
  'Sorry, I’m unable to comply with this request.',
  'I am not comfortable reviewing this material.',
  'The response was blocked by the safety filter.',
  'Es tut mir leid, aber dabei kann ich nicht helfen.',
  'Ich kann diese Anfrage leider nicht bearbeiten.',
  'Ich bin nicht in der Lage, diesen Code zu prüfen.',
  'Je suis désolé, mais je ne peux pas vous aider.',
  'Je ne peux pas examiner ce code.',
  'Lo siento, no puedo ayudar con eso.',
  'No puedo revisar este código.',
  'Mi dispiace, non posso aiutarti.',
  'Non sono in grado di esaminare questo codice.',
  'Desculpe, não posso ajudar com isso.',
  'Não consigo analisar este código.',
  'Przepraszam, nie mogę w tym pomóc.',
  '申し訳ありませんが、お手伝いできません。',
  '抱歉，我无法协助处理这个请求。',
  'Извините, я не могу с этим помочь.',
];

export const noReview: Kinds = {
  E1: [
    ...all('refusal', refusals),
    ...all('refusal', [
      "I'm sorry, but I can't help with that.\nNone",
      '{"refusal":"I cannot help with this."}',
    ]),
  ],
  E2: all('unread', [
    'I was unable to read the diff, so there are no issues.',
    'I could not access the files. No issues found.',
    'The diff was not provided.\n\nNone',
    "I don't have access to the repository.\nNo issues found.",
    json([], { verdict: 'OK', notes: 'I was unable to open the diff, but there are no issues.' }),
    'Please paste the diff you want me to review.',
  ]),
  E3: all('quota', [
    "You've hit your limit · resets 3pm",
    'Usage limit reached. Your limit will reset at 10:00.',
    'Error: insufficient_quota',
    'Your credit balance is too low to access the API.',
  ]),
  E4: all('provider', [
    'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    'API Error: 500 Internal server error',
    '503 Service Unavailable',
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  ]),
  E5: all('auth', [
    'Please run /login',
    'Invalid API key · Please run /login',
    'Opening authentication page in your browser: https://example.com/oauth/authorize?code=1',
    'You are not logged in.',
  ]),
  E6: all('provider', [
    '<html><head><title>401 Unauthorized</title></head></html>',
    '<!DOCTYPE html>\n<html><body>403 Forbidden</body></html>',
    '<HTML><BODY>Sign in to the proxy</BODY></HTML>',
  ]),
  E7: [
    ...all('echo', [
      sent.instructions,
      sent.prompt,
      `${sent.instructions}\n\n${sent.prompt}`,
      'SEVERITY|DESCRIPTION',
      'CRITICAL|description of critical issue',
      '{"$schema":"x","type":"object","properties":{"findings":{}}}',
    ]),
  ],
  E8: all('echo', [
    ...['...', 'string', 'TODO', '[list issues here]', '<description>'].map(issue =>
      json([{ ...plain[0], issue }]),
    ),
    ...['...', 'string', 'TODO', "[list issues here, or write 'None']"].map(
      issue => `CRITICAL|${issue}`,
    ),
    json([{ severity: 'CRITICAL|HIGH|MEDIUM|LOW', file: 'path', line: 1, issue: 'what is wrong' }]),
  ]),
  E9: all('noformat', [
    'Findings written to report.md',
    'Findings written to /tmp/out/alpha.md',
    'I have saved my review in review.md.',
  ]),
  E10: all('noformat', [
    'Which of these files should I begin with?',
    'Would you like a summary or a full review?',
    'Do you want me to look at the tests as well?',
  ]),
  E11: [
    ...all('nonce', [
      json(plain, { nonce: 'ffffff' }),
      JSON.stringify({ nonce: 'other', answer: 1, findings: [], verdict: 'OK' }),
      json([], { nonce: '', verdict: 'OK' }),
    ]),
    {
      answer: JSON.stringify({ units, findings: plain, verdict: 'VETO' }),
      mode: 'strict',
      expected: 'nonce',
    },
  ],
  E12: all('loop', [
    'the '.repeat(4_000),
    `CRITICAL|a real one\n${'ha'.repeat(4_000)}`,
    `{"findings":[{"severity":"LOW","issue":"${'no no '.repeat(2_000)}`,
  ]),
  E13: all('schema', [
    '{"name":"read_file","arguments":{"path":"src/a.ts"}}',
    '{"tool":"search","input":"key"}',
    '[{"type":"tool_use","name":"read"}]',
  ]),
  E14: all(
    'empty',
    ['', ' ']
      .map(result =>
        JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result }),
      )
      .concat('{"response":""}'),
  ),
  // The runner rejects these by exit code, stream and clock; their bytes are read like any others.
  E15: everyFormat(clean => clean, {}),
  E16: all('empty', ['', '\n', '  \n ']),
  E17: [
    ...bases.map(base => ({
      answer: json(base).slice(0, -20),
      options: { stop: 'cut' as const },
      expected: 'truncated' as const,
    })),
    ...bases.map(base => ({
      answer: json(base),
      options: { stop: 'cut' as const },
      expected: 'truncated' as const,
    })),
  ],
  E18: all(
    'nonce',
    ['00', nonce.toUpperCase(), `${nonce} `].map(stale => json(plain, { nonce: stale })),
  ),
  E19: everyFormat(clean => clean, {}),
  E20: [[units[0]], units.slice(0, 2), []].map(read => ({
    answer: json(plain, { units: read }),
    expected: {
      findings: briefsOf(plain),
      status: 'partial' as const,
      note: 'are not among those',
    },
  })),
  E21: [
    ...all('unread', [
      'Looks good to me!',
      'LGTM',
      'This looks good overall, nice work.',
      'The change looks fine.',
      'VERDICT: safe',
    ]),
    {
      answer: JSON.stringify({ nonce, findings: [], verdict: 'OK' }),
      mode: 'strict',
      expected: 'unread',
    },
  ],
};
