/** Speaks to a program on its standard input as MCP wants it: each call when the one before is answered, then the end. */
import { spawn } from 'node:child_process';

const opening = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'oracle', version: '1' },
  },
};

export function speak(args, options, calls) {
  const child = spawn(process.execPath, args, options);
  const requests = [opening, ...calls].map((request, id) => ({ jsonrpc: '2.0', id, ...request }));
  const next = () => {
    const request = requests.shift();
    if (request === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify(request)}\n`);
    if (request?.id === 1)
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  };
  const printed = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', text => (printed.stderr += text));
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    printed.stdout += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) if ('id' in JSON.parse(line)) next();
  });
  child.stdin.on('error', () => {});
  next();
  return new Promise(resolve =>
    child.on('close', (code, signal) => resolve({ exit: String(code ?? signal), ...printed })),
  );
}
