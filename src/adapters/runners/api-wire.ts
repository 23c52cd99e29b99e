/** The way to the network, with a witness: what came back is known even where the library above says only "failed". */

export interface WireRecord {
  readonly status: number;
  readonly contentType: string;
}

/** Bytes of one response on the wire: a streamed answer is up to twenty times its text. */
const wireLimit = 67_108_864;

/** `onBytes` is called on every piece of a body. A body beyond 64 MiB breaks off, with `onFlood` before it does. */
export function openWire(
  baseFetch: typeof globalThis.fetch,
  onBytes: () => void,
  onFlood: () => void,
) {
  let seen: WireRecord | null = null;
  return {
    /** Of the last response; null before one came. */
    seen: () => seen,
    async fetch(...[input, init]: Parameters<typeof baseFetch>) {
      // A redirect would carry the key to another host.
      const response = await baseFetch(input, { ...init, redirect: 'manual' });
      const contentType = response.headers.get('content-type') ?? '';
      seen = { status: response.status, contentType };
      let bytes = 0;
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          onBytes();
          bytes += chunk.length;
          if (bytes <= wireLimit) return controller.enqueue(chunk);
          onFlood();
          controller.error(new Error('The response exceeds the limit.'));
        },
      });
      return new Response(response.body?.pipeThrough(counter) ?? null, {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      });
    },
  };
}
