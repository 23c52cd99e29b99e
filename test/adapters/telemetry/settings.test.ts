import { describe, expect, it } from 'vitest';
import {
  hostsOf,
  readTelemetrySettings,
  type TelemetrySettings,
  withoutTelemetry,
} from '../../../src/adapters/telemetry/settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' };

function settingsOf(environment: Readonly<Record<string, string>>) {
  const settings = readTelemetrySettings(environment);
  expect(settings).toBeTypeOf('object');
  return settings as TelemetrySettings;
}

describe('telemetry is off', () => {
  it.each([
    ['no variable', {}],
    ['an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    ['variables that name no endpoint', { OTEL_EXPORTER_OTLP_HEADERS: 'a=b', TRACEPARENT: 'x' }],
    ['the switch', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
    [
      'exporters of another kind',
      { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'console,prometheus' },
    ],
  ])('by %s', (_, environment) => expect(readTelemetrySettings(environment)).toBeNull());

  it.each([
    ['no address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [
      'an address of another kind',
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'file:///etc' },
      'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    ],
    [
      'a protocol that is not spoken',
      { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL',
    ],
  ])('and says so, by %s', (_, environment, variable) => {
    const why = readTelemetrySettings(environment);
    expect(why).toBeTypeOf('string');
    expect(why).toContain(variable);
    for (const value of Object.values(environment)) expect(why).not.toContain(value);
  });
});

describe('an endpoint', () => {
  it('for all signals gets their paths, whatever it ends with', () => {
    for (const [base, path] of [
      ['http://c', ''],
      ['http://c/', ''],
      ['https://c/base', '/base'],
      ['https://c/base/', '/base'],
    ] as const) {
      const { traces, metrics } = settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: base });
      expect(new URL(traces?.url ?? '').pathname).toBe(`${path}/v1/traces`);
      expect(new URL(metrics?.url ?? '').pathname).toBe(`${path}/v1/metrics`);
    }
  });

  it('of one signal stands as it is, with what is said of that signal', () => {
    const { traces, metrics } = settingsOf({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=2',
      OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.example/here',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=3',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '100',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    });
    expect(traces).toEqual({
      url: 'http://traces.example/here',
      headers: { a: '1', b: '3' },
      protocol: 'http/json',
      compression: 'none',
      timeoutMs: 100,
    });
    expect(metrics).toMatchObject({
      headers: { a: '1', b: '2' },
      protocol: 'http/protobuf',
      timeoutMs: 5_000,
    });
  });

  it('is shown by its host alone, once', () =>
    expect(
      hostsOf(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:key@c.example/k?token=t' })),
    ).toEqual(['c.example']));
});

it.each(['0', '-5', '1e9', 'soon'])('a wait of "%s" is the usual one', wait => {
  const { traces } = settingsOf({ ...endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: wait });
  expect(traces?.timeoutMs).toBe(2_000);
});

it('pairs are read in percent encoding, and what is none is left out', () => {
  const { traces, resource, serviceName } = settingsOf({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: ' a = b%20c , , nothing, d=e=f, g=%zz, h=',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=ours,team=one',
  });
  expect(traces?.headers).toEqual({ a: 'b c', d: 'e=f', g: '%zz', h: '' });
  expect([resource, serviceName]).toEqual([{ team: 'one' }, 'ours']);
});

it('what a reviewer gets holds nothing of it', () => {
  const environment = { ...endpoint, otel_x: '1', TRACEPARENT: '1', tracestate: '1', PATH: '/bin' };
  expect(withoutTelemetry(environment)).toEqual({ PATH: '/bin' });
});
