/**
 * The part of SARIF 2.1.0 that is read, and nothing else of it: tools differ in all the rest. What is optional there and
 * malformed counts as absent. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
import { z } from 'zod';

/** Absent when it is not what it should be. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

const text = optional(z.string());
const index = optional(z.int().nonnegative());

const MessageString = z.object({ text, markdown: text });
const messageStrings = optional(z.record(z.string(), MessageString));
const properties = optional(z.record(z.string(), z.unknown()));

export const Rule = z.object({
  id: text,
  name: text,
  shortDescription: optional(MessageString),
  fullDescription: optional(MessageString),
  help: optional(MessageString),
  messageStrings,
  defaultConfiguration: optional(z.object({ level: text })),
  properties,
});
export type Rule = z.infer<typeof Rule>;

export const ToolComponent = z.object({
  rules: optional(z.array(Rule)),
  globalMessageStrings: messageStrings,
});
export type ToolComponent = z.infer<typeof ToolComponent>;

export const ArtifactLocation = z.object({ uri: text, uriBaseId: text, index });
export type ArtifactLocation = z.infer<typeof ArtifactLocation>;

const Message = z.object({
  text,
  markdown: text,
  id: text,
  arguments: optional(z.array(z.string())),
});
export type Message = z.infer<typeof Message>;

const PhysicalLocation = z.object({
  artifactLocation: optional(ArtifactLocation),
  region: optional(
    z.object({ startLine: optional(z.int().positive()), endLine: optional(z.int().positive()) }),
  ),
});

export const Result = z.object({
  ruleId: text,
  ruleIndex: index,
  rule: optional(z.object({ id: text, index, toolComponent: optional(z.object({ index })) })),
  kind: text,
  level: text,
  message: Message,
  locations: optional(z.array(z.object({ physicalLocation: optional(PhysicalLocation) }))),
  suppressions: optional(z.array(z.object({ status: text }))),
  baselineState: text,
  properties,
});
export type Result = z.infer<typeof Result>;

export const SarifRun = z.object({
  tool: z.object({
    driver: ToolComponent.extend({ name: z.string().trim().min(1) }),
    extensions: optional(z.array(ToolComponent)),
  }),
  results: z.array(Result).nullish(),
  originalUriBaseIds: optional(z.record(z.string(), ArtifactLocation)),
  artifacts: optional(z.array(z.object({ location: optional(ArtifactLocation) }))),
  invocations: optional(
    z.array(
      z.object({
        executionSuccessful: optional(z.boolean()),
        workingDirectory: optional(ArtifactLocation),
      }),
    ),
  ),
  externalPropertyFileReferences: z.unknown().optional(),
});
export type SarifRun = z.infer<typeof SarifRun>;

export const SarifLog = z.object({ version: z.literal('2.1.0'), runs: z.array(SarifRun) });
