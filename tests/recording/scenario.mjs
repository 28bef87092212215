// What every recorded agent is asked, what its model replies, and what its tools do.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const here = dirname(fileURLToPath(import.meta.url));
const told = JSON.parse(readFileSync(join(here, 'scenario.json'), 'utf8'));
export const { agent: AGENT, model: MODEL, cases: CASES } = told;

// Characters up to which a payload is kept indented.
const LEGIBLE = 5000;

export const TOOLS = {
  get_weather: {
    description: 'Tell the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      if (!told.weather[city]) throw new Error(`no station in ${city}`);
      return told.weather[city];
    },
  },
  pack_bag: {
    description: 'Pack what the sky asks for.',
    inputSchema: z.object({ sky: z.string() }),
    execute: async ({ sky }) => ({ packed: sky === 'rain' ? ['coat'] : [] }),
  },
  // A person must approve it, and none ever does.
  send_alert: {
    description: 'Warn everyone in a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async () => {
      throw new Error('approved by nobody');
    },
  },
};

const USAGE = {
  inputTokens: { total: 50, noCache: 50, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
};

// The results of a language model of the AI SDK, one a request, over all turns of a case.
export function replies(name) {
  return CASES[name].flatMap((turn) => turn.replies).map(({ text, calls = [] }) => ({
    content: [
      ...(text ? [{ type: 'text', text }] : []),
      ...calls.map((call) => ({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.name,
        input: JSON.stringify(call.args),
      })),
    ],
    finishReason: { unified: calls.length ? 'tool-calls' : 'stop', raw: undefined },
    usage: USAGE,
    warnings: [],
  }));
}

// The same reply as the parts of a stream.
export function streamed({ content, finishReason, usage }) {
  const parts = content.flatMap((part, at) =>
    part.type === 'text'
      ? [
          { type: 'text-start', id: `${at}` },
          { type: 'text-delta', id: `${at}`, delta: part.text },
          { type: 'text-end', id: `${at}` },
        ]
      : [part],
  );
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }];
}

// Keeps what a library emitted as a golden input.
export function keep(name, payload, library, folderOfLibrary = library) {
  const golden = process.env.GOLDEN ?? join(here, '..', 'golden');
  const folder = join(golden, `recorded-${name}`);
  mkdirSync(folder, { recursive: true });
  const indented = JSON.stringify(payload, null, 1);
  const text = indented.length > LEGIBLE ? JSON.stringify(payload) : indented;
  writeFileSync(join(folder, 'input.json'), text.replaceAll(here, '/app') + '\n');
  const described = join(here, 'node_modules', folderOfLibrary, 'package.json');
  const { version } = JSON.parse(readFileSync(described, 'utf8'));
  const recorded = new Date().toISOString().slice(0, 10);
  const source = { library, version, recorded, node: process.version };
  writeFileSync(join(folder, 'source.json'), JSON.stringify(source, null, 1) + '\n');
}
