// Records the AI SDK 6: its spans (`experimental_telemetry`) and its UI messages.
import {
  convertToModelMessages,
  generateText,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
} from 'ai-6';
import { MockLanguageModelV3, simulateReadableStream } from 'ai-6/test';
import { asJson, tracing } from './otlp.mjs';
import { AGENT, CASES, MODEL, TOOLS, keep, replies, streamed } from './scenario.mjs';

const tools = Object.fromEntries(
  Object.entries(TOOLS).map(([name, made]) => [
    name,
    tool({ ...made, needsApproval: name === 'send_alert' }),
  ]),
);

async function recordSpans(name, seed) {
  const { tracer, exporter } = tracing(seed);
  const model = new MockLanguageModelV3({ modelId: MODEL, doGenerate: replies(name) });
  const messages = [];
  for (const turn of CASES[name]) {
    exporter.reset();
    messages.push({ role: 'user', content: turn.user });
    const { response } = await generateText({
      model,
      tools,
      messages,
      stopWhen: stepCountIs(5),
      experimental_telemetry: {
        isEnabled: true,
        functionId: AGENT,
        metadata: { sessionId: 'thread-1' },
        tracer,
      },
    });
    messages.push(...response.messages);
  }
  keep(`vercel-6-spans-${name}`, asJson(exporter), 'ai', 'ai-6');
}

async function recordMessages(name) {
  const script = replies(name).map((reply) => ({
    stream: simulateReadableStream({ chunks: streamed(reply) }),
  }));
  const model = new MockLanguageModelV3({ modelId: MODEL, doStream: script });
  const messages = [];
  for (const [at, turn] of CASES[name].entries()) {
    messages.push({ id: `user-${at}`, role: 'user', parts: [{ type: 'text', text: turn.user }] });
    const asked = await convertToModelMessages(messages);
    const result = streamText({ model, tools, messages: asked, stopWhen: stepCountIs(5) });
    const stream = result.toUIMessageStream({ generateMessageId: () => `assistant-${at}` });
    let last;
    for await (const message of readUIMessageStream({ stream })) last = message;
    messages.push(last);
  }
  keep(`vercel-6-ui-messages-${name}`, { id: 'thread-1', messages }, 'ai', 'ai-6');
}

for (const [at, name] of Object.keys(CASES).entries()) {
  await recordSpans(name, 0x41 + at);
  await recordMessages(name);
}
