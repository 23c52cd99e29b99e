/** Claims of findings from elsewhere for somebody who lives in a terminal: who said how much, then what they agree on. */
import type { Consensus } from '../core/intake/intake.ts';
import { count } from './figures.ts';
import { layHeading, openPage, type Page, type RenderOptions } from './page.ts';
import { rankClaims, tiersOf, type Tier } from './ranking.ts';
import { layClaim } from './terminal-claims.ts';
import { cut, hang, oneLine, pad, widthOf, wrap } from './terminal-text.ts';

const mostClaims = 40;
const mostReviewers = 20;
const widestName = 40;

export function renderClaimsTerminal(consensus: Consensus, options: RenderOptions): string {
  const page = openPage(options);
  const ranked = rankClaims(consensus.claims, []);
  const whole = tiersOf(ranked);
  const sections = [
    layOpening(consensus, page),
    layReviewers(consensus, page),
    ...tiersOf(ranked.slice(0, mostClaims)).map(tier => layTier(tier, whole, page)),
    ranked.length > mostClaims ? wrap(`… and ${count(ranked.length - mostClaims, 'more claim')}; --json prints them all.`, page.measure) : [],
  ];
  return `${sections.filter(lines => lines.length > 0).map(lines => lines.join('\n')).join('\n\n')}\n`;
}

function layOpening({ findings, panel, claims, strategy }: Consensus, page: Page): string[] {
  const threshold = strategy.threshold === null ? '' : ` at ${strategy.threshold}`;
  const shared = claims.filter(({ agreement }) => agreement !== 'single').length;
  const said = `${count(findings.length, 'finding')} of ${count(panel.length, 'reviewer')} form ${count(claims.length, 'claim')}, ${shared} of them of more than one reviewer`;
  return [...wrap(said, page.measure).map(line => page.colors.bold(line)), page.colors.dim(`matched by strategy ${strategy.name}${threshold}`)];
}

function layReviewers({ findings, panel }: Consensus, page: Page): string[] {
  const shown = panel.slice(0, mostReviewers);
  const width = Math.max(0, ...shown.map(name => Math.min(widestName, widthOf(oneLine(name, widestName)))));
  const lines = shown.flatMap(reviewer => {
    const own = findings.filter(({ finding }) => finding.reviewer === reviewer);
    return hang(`  ${pad(cut(oneLine(reviewer, 100), widestName), width)}  `, [count(own.length, 'finding'), ...leftOutOf(own)].join(', '), page.measure);
  });
  return [...lines, ...(panel.length > mostReviewers ? [`  … and ${count(panel.length - mostReviewers, 'more reviewer')}`] : [])];
}

/** `3 suppressed`: kept and counted, but in no claim. */
function leftOutOf(findings: Consensus['findings']): string[] {
  const reasons = new Map<string, number>();
  for (const { leftOut } of findings) if (leftOut !== null) reasons.set(leftOut, (reasons.get(leftOut) ?? 0) + 1);
  return [...reasons].map(([reason, amount]) => `${amount} left out (${reason})`);
}

function layTier({ name, claims }: Tier, whole: readonly Tier[], page: Page): string[] {
  const total = whole.find(tier => tier.name === name)?.claims.length ?? claims.length;
  const amount = claims.length === total ? String(total) : `${claims.length} of ${total}`;
  const lines = claims.flatMap(claim => [...layClaim(claim, false, page), '']);
  return [...layHeading(page, `${name} (${amount})`), ...lines.slice(0, -1)];
}
