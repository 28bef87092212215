// Records Mastra: what it hands to a scorer of an agent, and the spans it exports.
import { createScorer } from '@mastra/core/evals';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core';
import { createTool } from '@mastra/core/tools';
import { BaseExporter, Observability } from '@mastra/observability';
import { simulateReadableStream } from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { AGENT, CASES, MODEL, TOOLS, keep, replies, streamed } from './scenario.mjs';

class Kept extends BaseExporter {
  name = 'kept';
  #spans = [];

  async _exportTracingEvent({ type, exportedSpan }) {
    if (type === 'span_ended') this.#spans.push(exportedSpan);
  }

  take() {
    return this.#spans.splice(0);
  }
}

const tools = Object.fromEntries(
  Object.entries(TOOLS).map(([id, made]) => [
    id,
    createTool({ ...made, id, requireApproval: id === 'send_alert' }),
  ]),
);

// Lets an agent answer all turns of a case; gives the spans of the last.
async function answer(name, scorers) {
  const kept = new Kept();
  const script = replies(name).map((reply) => ({
    stream: simulateReadableStream({ chunks: streamed(reply) }),
  }));
  const agent = new Agent({
    id: AGENT,
    name: AGENT,
    instructions: 'Tell the weather.',
    model: new MockLanguageModelV3({ modelId: MODEL, doStream: script }),
    tools,
    scorers,
  });
  const observed = { serviceName: `${AGENT}-service`, exporters: [kept] };
  new Mastra({
    agents: { [AGENT]: agent },
    logger: false,
    observability: new Observability({ configs: { default: observed } }),
  });
  let messages = [];
  for (const turn of CASES[name]) {
    kept.take();
    const stream = await agent.stream([...messages, { role: 'user', content: turn.user }], {
      maxSteps: 5,
    });
    await stream.consumeStream();
    messages = stream.messageList.get.all.db();
  }
  await new Promise((resolve) => setTimeout(resolve, 500)); // scorers run after the answer
  return kept.take();
}

async function recordScorer(name) {
  const runs = [];
  const scorer = createScorer({ id: 'kept', description: 'Keeps what it is given.' }).generateScore(
    ({ run }) => runs.push(JSON.parse(JSON.stringify(run))),
  );
  await answer(name, { kept: { scorer, sampling: { type: 'ratio', rate: 1 } } });
  // A suspended run is scored by nobody.
  if (runs.length) keep(`mastra-scorer-${name}`, runs.at(-1), '@mastra/core');
}

for (const name of Object.keys(CASES)) {
  await recordScorer(name);
  keep(`mastra-spans-${name}`, await answer(name), '@mastra/observability');
}
process.exit(0);
