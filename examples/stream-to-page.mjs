// A page that shows a review while it goes on: server-sent events, one for each event of the run. It ends with the review.
import { createServer } from 'node:http';
import { createJury } from 'jury';

const page = `<pre id="log"></pre><script>
  const source = new EventSource('/events');
  source.onmessage = ({ data }) => document.querySelector('#log').append(data + '\\n');
  source.onerror = () => source.close();
</script>`;

const server = createServer(async (request, response) => {
  if (request.url !== '/events') {
    response.setHeader('content-type', 'text/html').end(page);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for await (const event of createJury().stream({
    process: 'review',
    range: 'HEAD',
    fresh: true,
  })) {
    const shown =
      event.type === 'result'
        ? { type: event.type, outcome: event.run.outcome }
        : { type: event.type };
    response.write(`data: ${JSON.stringify(shown)}\n\n`);
  }
  response.end();
  server.close();
  server.closeIdleConnections();
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
