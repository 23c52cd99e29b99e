/**
 * Asks any of the coding-agent clients: checks before the start, one fresh folder, one process, one judgement. Exit code
 * 0 proves nothing: an answer needs the client's closing record as well, and a run that Jury signalled has failed.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { toolNames } from '../../core/tools/offers.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  type Answer,
  type ProcessResult,
  type Progress,
  type ReviewerTools,
  type Runner,
  type Turn,
  answered,
  type AnsweredDetails,
  failedAnswer,
  type FailureDetails,
} from '../../core/ports/runner.ts';
import type { Cause } from '../../core/words/review.ts';
import type { ClientName } from '../../core/words/runner.ts';
import { type Enclosed, isolationOf, withEnclosure } from './enclose.ts';
import {
  type Brief,
  type Client,
  type Reading,
  type ToolLaunch,
  estimateTokens,
  isTooOld,
  mostRounds,
  readJsonLines,
  versionWarning,
} from './client.ts';
import { listen } from '../sandbox/endpoint-proxy.ts';
import { packageRoot } from '../system/package-root.ts';
import { certificatesOf, clients, findClient, readVersion } from './client-program.ts';
import { type RunnerWorld, hashFile, hashValue, withoutSecret } from './executable.ts';
import { runIn } from './process.ts';
import { failedBy, processFailure, transcriptOf } from './provider-failure.ts';
import { withCost } from '../../core/spending/month.ts';

export function createClientRunner(name: ClientName, world: RunnerWorld): Runner {
  const client = clients[name];
  return {
    name,
    ...(client.takesSchema && { takesSchema: true }),
    ask: (turn, signal, onProgress) => ask({ client, world, turn, signal, onProgress }),
    fingerprint: seat => fingerprint(client, seat, world),
  };
}

interface Call {
  client: Client;
  world: RunnerWorld;
  turn: Turn;
  signal: AbortSignal;
  onProgress: ((progress: Progress) => void) | undefined;
}

async function ask(call: Call) {
  const { client, world, turn, signal } = call;
  const { seat, prompt, deadlines } = turn;
  const startedAt = performance.now();
  // A client that is not there needs no key: "not installed" is what the person must mend first.
  const program = await findClient(client, seat, world);
  if (typeof program !== 'string') return program;
  const credential = findCredential(client, seat, world);
  if (!credential)
    return failedAnswer('auth', `No key: set ${keyNames(client, seat).join(' or ')}.`);
  const { unit, most } = client.promptLimit;
  const size = unit === 'bytes' ? Buffer.byteLength(prompt) : prompt.length;
  if (size > most)
    return failedAnswer('context', `The prompt has ${size} ${unit}; ${client.name} takes ${most}.`);

  noteAddress(call);
  const certificates = await certificatesOf(world);
  // A client that has tools also starts the program that serves them.
  const besides = seat.tools ? toolFiles(world.toolProgram) : [];
  const started = { file: program, besides: [...Object.values(certificates), ...besides] };
  return withEnclosure(world, seat, started, async place => {
    const version = await readVersion(program, { ...place, world }, deadlines.totalMs / 2, signal);
    if (isTooOld(client, version))
      return failedAnswer('version', `${client.name} ${version} is older than ${client.oldest}.`);
    return withTools(call, place.root, async tools => {
      const given = { credential, tools: tools?.launch ?? null };
      const launch = client.launch(briefOf(client, turn, place, given));
      for (const { path, text } of launch.files) {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(path, text, { mode: 0o600, flag: 'wx' });
      }
      const reading = client.read();
      const remainingMs = Math.max(1, deadlines.totalMs - (performance.now() - startedAt));
      const start = { program, place, certificates, launch, reading, remainingMs, tools };
      const result = await run(call, start);
      const warning = versionWarning(client, version);
      return withoutSecret(judge(call, { result, reading, warning, tools }), credential.value);
    });
  });
}

const noted = new Set<string>();

/** What goes where is a matter of the configuration, which rules of egress and a sandbox are made by. */
function noteAddress({ client, world, turn: { seat } }: Call) {
  const dropped = client.keyVariables
    .map(name => name.replace(/_[A-Z]+_[A-Z]+$/, '_BASE_URL'))
    .find(name => world.environment[name]);
  if (seat.baseUrl !== undefined || dropped === undefined || noted.has(seat.id)) return;
  noted.add(seat.id);
  world.note?.(
    `${dropped} is not passed on to ${seat.id}: baseUrl of a reviewer says where it asks.`,
  );
}

/** Serves the reviewer's tools, if it has any, for as long as `use` takes. */
async function withTools(
  { turn: { tools }, world: { toolProgram } }: Call,
  root: string,
  use: (service: ToolService | null) => Promise<Answer>,
) {
  if (!tools) return use(null);
  const service = await serveTools(tools, root, toolProgram).catch((error: unknown) =>
    String(error),
  );
  if (typeof service === 'string')
    return failedAnswer('tools-missing', `No socket for the tools: ${service}.`);
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

function keyNames(client: Client, seat: Seat) {
  return seat.apiKeyEnv === undefined ? client.keyVariables : [seat.apiKeyEnv];
}

function findCredential(client: Client, seat: Seat, world: RunnerWorld) {
  const variable = keyNames(client, seat).find(name => world.environment[name]);
  const value = variable && world.environment[variable];
  return value ? { variable, value } : null;
}

function briefOf(
  client: Client,
  { seat, instructions, prompt, deadlines: { totalMs }, schema }: Asked,
  { root, home, cwd }: Pick<Enclosed, 'root' | 'home' | 'cwd'>,
  rest: Pick<Brief, 'credential' | 'tools'>,
): Brief {
  return {
    seat,
    model: seat.model ?? client.defaultModel,
    instructions,
    promptBytes: Buffer.byteLength(prompt),
    totalMs,
    root,
    home,
    cwd,
    schema,
    ...rest,
  };
}

type Asked = Pick<Turn, 'seat' | 'instructions' | 'prompt' | 'schema'> & {
  deadlines: Pick<Turn['deadlines'], 'totalMs'>;
};

interface Start {
  program: string;
  place: Enclosed;
  certificates: Record<string, string>;
  launch: ReturnType<Client['launch']>;
  reading: Reading;
  remainingMs: number;
  tools: ToolService | null;
}

async function run(
  { client, turn, signal, onProgress, world }: Call,
  {
    program,
    place: { cwd, environment, within, way },
    certificates,
    launch,
    reading,
    remainingMs,
    tools,
  }: Start,
) {
  const mostRequests = tools ? mostRounds : client.maxRequests;
  // Records of one chunk may tell of several requests, and the process prints on until the kill arrives.
  let endedAt: number | null = null;
  const lines = readJsonLines(record => {
    reading.take(record);
    if (mostRequests !== null && reading.requests() > mostRequests) endedAt ??= reading.requests();
  });
  let bytes = 0;
  const promptTokens = estimateTokens(turn.prompt.length + turn.instructions.length);
  const result = await runIn(
    world,
    {
      file: program,
      args: launch.args,
      input: turn.prompt,
      environment: {
        ...environment,
        ...certificates,
        ...launch.environment,
        ...way,
      },
      cwd,
      within: within(true),
      deadlines: { ...turn.deadlines, totalMs: remainingMs },
      ...(turn.enough && { enough: turn.enough }),
      ...(launch.stdoutFile && { stdoutFile: launch.stdoutFile }),
      ...(launch.maxStdoutBytes && { limits: { stdoutBytes: launch.maxStdoutBytes } }),
      onOutput(chunk, stop) {
        lines.add(chunk);
        bytes += Buffer.byteLength(chunk);
        const { calls, inputTokens } = reading.usage(promptTokens);
        onProgress?.({
          // What a tool told is sent with a further request, and one more may have to bring the answer.
          inputTokens:
            inputTokens + (tools ? Math.round((2 * inputTokens) / Math.max(1, calls)) : 0),
          outputTokens: reading.outputTokens(),
          bytes,
        });
        if (endedAt !== null) stop();
      },
    },
    tools ? AbortSignal.any([signal, watchEnd(turn, tools, reading)]) : signal,
  );
  lines.end();
  return { ...result, endedAt };
}

/**
 * Aborts when a reviewer that was told to answer calls tools in a later request. Some clients tell late of their requests;
 * there the calls are counted.
 */
function watchEnd({ tools }: Turn, service: ToolService, reading: Reading) {
  const overrun = new AbortController();
  let toldAt: number | null = null;
  service.watch(() => {
    const calls = tools?.callsAfterEnd() ?? 0;
    if (calls === 0) return;
    toldAt ??= reading.requests();
    if (reading.requests() > toldAt || calls > mostCallsAfterEnd) overrun.abort();
  });
  return overrun.signal;
}

/** A model may ask for several things in one request. */
const mostCallsAfterEnd = 2;

interface Ending {
  result: ProcessResult & {
    /** Its request that was one too many; null when there was none. */ endedAt: number | null;
  };
  reading: Reading;
  /** About the version. */
  warning: string | null;
  tools: ToolService | null;
}

/** By how the process ended, then by what the records say, then by the exit code. */
function judge({ turn, signal }: Call, { result, reading, warning, tools }: Ending) {
  const promptTokens = estimateTokens(turn.prompt.length + turn.instructions.length);
  const transcript = transcriptOf(result) + (warning === null ? '' : `\n--- jury ---\n${warning}`);
  // A price that the operator names beats the list price that a client knows.
  const usage = result.spawnError ? undefined : withCost(turn.seat, reading.usage(promptTokens));
  const soFar = reading.textSoFar?.() ?? '';
  const told: AnsweredDetails = { model: reading.model(), transcript, ...(usage && { usage }) };
  const details: FailureDetails = { ...told, text: soFar || reading.said() };
  if (result.stopped === 'capped')
    return failedBy(reading.overrun(result.endedAt ?? reading.requests()), details);
  if (result.stopped === 'enough' && soFar.trim() !== '')
    return answered(soFar, { ...told, stop: 'cut' });
  if (result.stopped === 'cancelled' && !signal.aborted)
    return failedAnswer(
      'budget',
      'It went on calling tools after its token budget was used.',
      details,
    );
  const { exitCode } = result;
  if (result.spawnError || result.stopped !== null || exitCode === null)
    return (
      processFailure(result, details) ??
      failedAnswer('killed', 'Ended without an exit code.', details)
    );
  const ended = { ...details, exitCode };
  if (!result.stdoutIsUtf8)
    return failedAnswer('encoding', 'The client printed bytes that are not UTF-8.', ended);

  const judgement = reading.conclude({ exitCode, stderr: result.stderr });
  // Clients go on without a server that does not come up, and end like any other time.
  if (tools?.wasReady() === false && ('text' in judgement || silent.has(judgement.cause)))
    return failedAnswer('tools-missing', 'The client never asked for the list of tools.', ended);
  if ('cause' in judgement) return failedBy(judgement, ended);
  const { text, stop, exitCode: agreed } = judgement;
  return (
    processFailure(exitCode === agreed ? { ...result, exitCode: 0 } : result, details) ??
    answered(text, { ...told, stop })
  );
}

/** Causes that say nothing of why. */
const silent: ReadonlySet<Cause> = new Set(['exit', 'protocol', 'empty']);

/** Program, package and every flag, setting and file that a call would use, with the turn's own parts and the folder's path left out. */
async function fingerprint(client: Client, seat: Seat, world: RunnerWorld) {
  const program = await findClient(client, seat, world);
  if (typeof program !== 'string') return null;
  const isolation = await isolationOf(seat, world);
  const loaded = await world.hashLoaded?.(program);
  if ('status' in isolation || !loaded) return null;
  const credential = { variable: findCredential(client, seat, world)?.variable ?? '', value: '' };
  const asked: Asked = { seat, instructions: '', prompt: '', deadlines: { totalMs: 0 } };
  const place = { root: '$T', home: '$T/home', cwd: '$T/cwd' };
  const tools = seat.tools
    ? describeLaunch({ JURY_TOOLS_SOCKET: '', JURY_TOOLS_TOKEN: '' }, world.toolProgram)
    : null;
  return hashValue([
    client.name,
    loaded,
    await hashFile(await packageAbove(program)),
    client.launch(briefOf(client, asked, place, { credential, tools })),
    isolation,
    seat.isolation,
  ]);
}

/** The file that names the version of a program which is a small part of its package. */
async function packageAbove(program: string) {
  let folder = dirname(await realpath(program));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder)
    folder = dirname(folder);
  return join(folder, 'package.json');
}

// Serves a reviewer's tools to the MCP program that its client starts: a socket in the attempt folder, a random token that each
// connection must show first, and nothing but calls of these tools behind it.

interface ToolService {
  launch: ToolLaunch;
  /** Has the client listed the tools? */
  wasReady(): boolean;
  /** `listener` is told of every call before its answer goes out: without an answer the client asks its model nothing more. */
  watch(listener: () => void): void;
  close(): Promise<void>;
}

/** Characters of one message. */
const longestMessage = 1_048_576;

/** Built from `src/mcp/reviewer-tools.ts`. */
const toolProgram: string = join(packageRoot, 'dist', 'mcp', 'reviewer-tools.js');

function describeLaunch(environment: ToolLaunch['environment'], program = toolProgram): ToolLaunch {
  return { command: process.execPath, args: [program], environment, names: toolNames };
}

/** What the MCP program reads: itself, what starts it, and the packages that stand beside it or around it. */
function toolFiles(program = toolProgram) {
  const around = /^.*?[/\\]node_modules(?=[/\\])/.exec(packageRoot)?.[0];
  return [
    process.execPath,
    dirname(program),
    join(packageRoot, 'package.json'),
    around ?? join(packageRoot, 'node_modules'),
  ];
}

/** `folder` is absolute and of mode 0700. Rejects when there can be no socket in it. */
export async function serveTools(
  tools: ReviewerTools,
  folder: string,
  program = toolProgram,
): Promise<ToolService> {
  const token = randomBytes(32).toString('hex');
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\jury-${randomBytes(16).toString('hex')}`
      : join(folder, 't.sock');
  const ended = new AbortController();
  let onCall: (() => void) | null = null;
  let isReady = false;
  // A wrong token, or anything that is no message, ends the connection without a word.
  const server = createServer(socket => {
    let isKnown = false;
    const underWay = new Map<number, AbortController>();
    socket.on('error', () => {});
    socket.on('close', () => underWay.forEach(call => call.abort()));
    const answer = async (id: number, name: string, input: unknown) => {
      const own = new AbortController();
      underWay.set(id, own);
      const signal = AbortSignal.any([ended.signal, own.signal]);
      const { text, isError } = await tools.call(name, input, signal);
      underWay.delete(id);
      onCall?.();
      if (!socket.destroyed) socket.write(`${JSON.stringify({ id, text, isError })}\n`);
    };
    readLines(socket, line => {
      const message = Message.safeParse(parseJson(line)).data;
      isKnown ||= message !== undefined && 'token' in message && isEqual(message.token, token);
      if (!isKnown || !message) socket.destroy();
      else if ('ready' in message) isReady = true;
      else if ('cancel' in message) underWay.get(message.id)?.abort();
      else if ('id' in message) void answer(message.id, message.name, message.input);
    });
  });
  const end = await listen(server, path);
  return {
    launch: describeLaunch({ JURY_TOOLS_SOCKET: path, JURY_TOOLS_TOKEN: token }, program),
    watch: listener => void (onCall = listener),
    wasReady: () => isReady,
    async close() {
      ended.abort();
      await end();
    },
  };
}

const Message = z.union([
  z.strictObject({ token: z.string() }),
  z.strictObject({ ready: z.literal(true) }),
  z.strictObject({ id: z.int(), name: z.string(), input: z.unknown() }),
  z.strictObject({ id: z.int(), cancel: z.literal(true) }),
]);

function readLines(socket: Socket, take: (line: string) => void) {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestMessage) socket.destroy();
    for (const line of lines) if (!socket.destroyed) take(line);
  });
}

function isEqual(given: string, token: string) {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
