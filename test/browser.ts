/** A real browser from an npm package, for pages that people look at. One for each file of tests that asks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { atFileEnd } from './file-end.ts';

/** Of what the package wants for a cloud function these weaken what a page may do, or end the browser with its first page. */
const unwanted = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
]);

/** Closed, with what it unpacked, when the file of tests ends. */
export async function openBrowser(): Promise<Browser> {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-browser-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { executable, args, environment } = await unpack(folder);
  const browser = await chromium.launch({
    executablePath: executable,
    args: [...args.filter(argument => !unwanted.has(argument)), '--no-sandbox'],
    env: environment,
  });
  atFileEnd(() => browser.close());
  return browser;
}

/**
 * The package unpacks into the folder for temporary files, under names of its own, and says by variables of this process where the
 * libraries are that it brings: both are taken back, so that no other test sees them.
 */
async function unpack(folder: string) {
  const before = { ...process.env };
  process.env['TMPDIR'] = folder;
  // Makes it use the libraries it brings, which a slim machine lacks.
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs20.x';
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const executable = await packed.executablePath();
    const environment = Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    return {
      executable,
      args: packed.args,
      environment: { ...environment, FONTCONFIG_FILE: nameFonts(folder) },
    };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    if (before['TMPDIR'] === undefined) delete process.env['TMPDIR'];
  }
}

/** The list of fonts that comes along names folders of a cloud function: without one of ours no letter has a width. */
function nameFonts(folder: string) {
  const file = path.join(folder, 'fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>` +
      `<dir>${path.join(folder, 'fonts')}</dir><cachedir>${path.join(folder, 'fonts-cache')}</cachedir></fontconfig>\n`,
  );
  return file;
}
