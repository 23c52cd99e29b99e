import { expect, it } from 'vitest';
import { serviceOf } from '../../../src/core/github/parcel.ts';

const both = (server: string, api: string) => ({ server, api });

it.each([
  ['', '', both('https://github.com', 'https://api.github.com')],
  ['https://github.com/', '', both('https://github.com', 'https://api.github.com')],
  ['', 'https://api.github.com', both('https://github.com', 'https://api.github.com')],
  ['https://git.acme.org', '', both('https://git.acme.org', 'https://git.acme.org/api/v3')],
  ['', 'https://git.acme.org/api/v3', both('https://git.acme.org', 'https://git.acme.org/api/v3')],
  ['https://acme.ghe.com', '', both('https://acme.ghe.com', 'https://api.acme.ghe.com')],
  ['', 'https://api.acme.ghe.com/', both('https://acme.ghe.com', 'https://api.acme.ghe.com')],
  [
    'https://ghe.com.evil.org',
    '',
    both('https://ghe.com.evil.org', 'https://ghe.com.evil.org/api/v3'),
  ],
])('server %j and API %j', (server, api, service) =>
  expect(serviceOf({ GITHUB_SERVER_URL: server, GITHUB_API_URL: api })).toEqual(service),
);

it.each([
  'http://github.com',
  'ftp://x',
  'https://a:b@github.com',
  'https://github.com/?x',
  'nothing',
])('sends no token to %j', address => {
  expect(() => serviceOf({ GITHUB_SERVER_URL: address })).toThrow('is no address by https');
  expect(() => serviceOf({ GITHUB_API_URL: address })).toThrow('is no address by https');
});
