/** Speaks to a server of MCP on its standard input: each call when the one before is answered, then the end. */
export function speak(child, calls) {
  const requests = [
    {
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'oracle', version: '1' },
      },
    },
    ...calls,
  ].map((request, id) => ({ jsonrpc: '2.0', id, ...request }));
  const next = () => {
    const request = requests.shift();
    if (request === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify(request)}\n`);
    if (request?.id === 0)
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  };
  let rest = '';
  child.stdout.on('data', text => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) if ('id' in JSON.parse(line)) next();
  });
  next();
}
