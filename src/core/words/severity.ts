/**
 * The four severities and the labels that mean them. Sorting, maxima and gates use the canonical value only;
 * the reviewer's own label is kept beside it and is what reports display.
 */
import { z } from 'zod';

/** Most severe first: the index is the rank. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;

export const Severity = z.enum(severities);
export type Severity = z.infer<typeof Severity>;

/** 0 is the most severe. */
export function rankOf(severity: Severity) {
  return severities.indexOf(severity);
}

/** The most severe first. */
export function bySeverity(one: { severity: Severity }, other: { severity: Severity }) {
  return rankOf(one.severity) - rankOf(other.severity);
}

export function isAtLeast(severity: Severity, threshold: Severity) {
  return rankOf(severity) <= rankOf(threshold);
}

/** How many there are of each. */
export function countSeverities(said: readonly { readonly severity: Severity }[]) {
  return Object.fromEntries(
    severities.map(one => [one, said.filter(({ severity }) => severity === one).length]),
  ) as Record<Severity, number>;
}

/** The level a Findings Index and the brief report print: P0 is critical. */
export function indexLevelOf(severity: Severity): 'P0' | 'P1' | 'P2' | 'P3' {
  return (['P0', 'P1', 'P2', 'P3'] as const)[rankOf(severity)] ?? 'P3';
}

/** Every label any scale of ours uses, in upper case. A mode's own labels are looked up first (`LabelScale`). */
export const knownLabels = inSeverities({
  critical: 'P0 CRITICAL STRONG BLOCKING',
  high: 'P1 IMPORTANT MODERATE HIGH',
  medium: 'P2 MEDIUM MED NOTABLE',
  low: 'P3 SUGGESTION WEAK LOW',
});

/** Labels of other tools and of reviewers that answer in their words. Ours come first. */
const foreignLabels = inSeverities({
  critical: `BLOCKER FATAL SEVERE SHOWSTOPPER SEV0 S0
    KRITISCH GRAVIEREND BLOCKIEREND CRITIQUE BLOQUANT BLOQUANTE CRÍTICO CRÍTICA CRITICO CRITICA BLOQUEANTE BLOCCANTE
    KRITIEK KRITISK KRITISKT KRYTYCZNY KRYTYCZNE KRYTYCZNA КРИТИЧНО КРИТИЧЕСКИЙ КРИТИЧЕСКАЯ КРИТИЧЕСКОЕ КРИТИЧНИЙ KRITIK
    严重 嚴重 致命 关键 關鍵 重大 致命的 クリティカル 緊急 심각 치명적`,
  high: `MAJOR ERROR SEV1 S1
    HOCH WICHTIG ÉLEVÉ ÉLEVÉE IMPORTANTE MAJEUR MAJEURE ALTO ALTA GRAVE HOOG BELANGRIJK HØY HÖG VIKTIG VIKTIGT WYSOKI WYSOKIE
    WYSOKA WAŻNY WAŻNE ВЫСОКИЙ ВЫСОКАЯ ВАЖНО ВИСОКИЙ YÜKSEK ÖNEMLI 高 高危 重要 높음 중요`,
  medium: `WARNING WARN SEV2 S2
    MITTEL MOYEN MOYENNE MEDIO MEDIA MÉDIO MÉDIA MODÉRÉ MODÉRÉE GEMIDDELD MIDDELS MEDEL ŚREDNI ŚREDNIE ŚREDNIA СРЕДНИЙ СРЕДНЯЯ
    СЕРЕДНІЙ ORTA WARNUNG AVERTISSEMENT ADVERTENCIA AVISO ПРЕДУПРЕЖДЕНИЕ 中 中等 警告 보통 중간`,
  low: `MINOR NIT TRIVIAL NOTE INFO INFORMATION INFORMATIONAL HINT STYLE SEV3 S3 NITPICK COSMETIC
    NIEDRIG GERING VORSCHLAG HINWEIS FAIBLE MINEUR MINEURE BAJO BAJA BASSO BASSA BAIXO BAIXA SUGGERIMENTO SUGERENCIA SUGESTÃO
    LAAG LAV LÅG NISKI NISKIE NISKA SUGESTIA НИЗКИЙ НИЗКАЯ НИЗЬКИЙ DÜŞÜK ÖNERI 低 轻微 輕微 建议 建議 提案 軽微 낮음 제안`,
});

function inSeverities(words: Readonly<Record<Severity, string>>) {
  return Object.fromEntries(
    severities.flatMap(severity => words[severity].split(/\s+/).map(word => [word, severity])),
  );
}

/** What counts when nobody says how bad it is, or says it in a word nobody knows. */
export const unstatedSeverity: Severity = 'medium';

/** The labels one question asks for, in order of weight, each with the severity it stands for. Keys are upper case. */
export type LabelScale = ReadonlyMap<string, Severity>;

const labelPattern = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

/**
 * The scale for labels ranked by their author: 1 label is critical; 2 are critical and low; 3 are critical, high and
 * low; 4 are one each; of 5 to 8 the first is critical, the second high, the last low and the rest medium.
 * Returns null for an empty list, duplicates, more than eight labels, or a label of another shape.
 */
export function scaleOf(labels: readonly string[]): LabelScale | null {
  const upper = labels.map(label => label.toUpperCase());
  const isUsable =
    upper.length >= 1 &&
    upper.length <= 8 &&
    new Set(upper).size === upper.length &&
    labels.every(label => labelPattern.test(label));
  return isUsable
    ? new Map(upper.map((label, index) => [label, severityAt(index, upper.length)]))
    : null;
}

function severityAt(index: number, count: number) {
  if (index === 0) return 'critical';
  if (count === 4) return severities[index] ?? 'low';
  if (index === count - 1) return 'low';
  return index === 1 ? 'high' : 'medium';
}

/**
 * The severity a label stands for: the active scale first, then ours, then those of other tools; null for any other. Case does
 * not matter.
 */
export function severityOf(label: string, scale?: LabelScale): Severity | null {
  return ownSeverityOf(label, scale) ?? lookUp(foreignLabels, label);
}

/** Without the labels of other tools, many of which are words of prose as well. */
export function ownSeverityOf(label: string, scale?: LabelScale): Severity | null {
  return scale?.get(label.toUpperCase()) ?? lookUp(knownLabels, label);
}

function lookUp(labels: Readonly<Record<string, Severity>>, label: string) {
  const upper = label.normalize('NFKC').toUpperCase();
  return Object.hasOwn(labels, upper) ? (labels[upper] ?? null) : null;
}
