import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderers } from '../../src/render/formats.ts';
import { openBrowser } from '../browser.ts';
import { brokenWords, extents, faintTexts, unfold } from './page-looks.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { sampleRun } from './sample-run.ts';

const options = { color: false, width: 80 };
/** Pixels: a telephone, a half of a screen, a whole one. */
const widths = [360, 820, 1440];
/** Payloads in one page. */
const atOnce = 12;

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
}, 120_000);

interface Shown {
  readonly page: Page;
  /** Addresses it asked for. */
  readonly asked: string[];
  /** Dialogs and errors of scripts. */
  readonly complaints: string[];
}

interface Window {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

async function show(html: string, { width = 820, scheme = 'light' }: Window = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
  });
  const page = await context.newPage();
  const shown: Shown = { page, asked: [], complaints: [] };
  page.on('request', request => shown.asked.push(request.url()));
  page.on('dialog', dialog => {
    shown.complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', error => shown.complaints.push(error.message));
  await page.setContent(html);
  return shown;
}

describe('the HTML report in a browser', () => {
  const report = renderers.html(sampleRun(), options);

  it('is drawn with letters', async () => {
    const { page } = await show(report);
    const title = await page.locator('h1').first().boundingBox();
    expect(title?.height).toBeGreaterThan(10);
  });

  it.each(widths)('fits a window of %i pixels: what is wide scrolls by itself', async width => {
    const { page } = await show(report, { width });
    const { content, window } = await page.evaluate<{ content: number; window: number }>(extents);
    expect(content).toBeLessThanOrEqual(window);
  });

  it.each(widths)('breaks no word of a table in a window of %i pixels', async width => {
    const { page } = await show(report, { width });
    expect(await page.evaluate(brokenWords)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('can be read by everybody in %s colours', async scheme => {
    const { page } = await show(report, { scheme });
    await page.evaluate(unfold);
    expect(await page.evaluate(faintTexts)).toEqual([]);
  });

  it('opens what is folded by the keyboard', async () => {
    const { page } = await show(report);
    expect(await page.locator('details[open]').count()).toBe(0);
    await page.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details[open]').count()).toBe(1);
  });

  it('asks the network for nothing and runs nothing, whatever stands in it', async () => {
    const { page, asked, complaints } = await show('');
    for (let first = 0; first < payloads.length; first += atOnce) {
      const text = payloads.slice(first, first + atOnce).join('\n');
      await page.setContent(renderers.html(poisonedRun(text), options));
      expect({ asked, complaints }, text).toEqual({ asked: [], complaints: [] });
    }
  });

  it('is seen where a page asks and runs something', async () => {
    const { asked, complaints } = await show(
      '<img src="http://127.0.0.1:9/pixel.png" onerror="alert(1)">',
    );
    await expect.poll(() => complaints).toEqual(['dialog 1']);
    expect(asked).toEqual(['http://127.0.0.1:9/pixel.png']);
  });
});
