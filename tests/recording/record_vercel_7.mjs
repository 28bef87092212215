// Records the AI SDK 7: the spans of its OpenTelemetry package, by the GenAI conventions.
import { OpenTelemetry } from '@ai-sdk/otel';
import { ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { asJson, tracing } from './otlp.mjs';
import { AGENT, CASES, MODEL, TOOLS, keep, replies } from './scenario.mjs';

const tools = Object.fromEntries(Object.entries(TOOLS).map(([name, made]) => [name, tool(made)]));

async function record(name, seed) {
  const { tracer, exporter } = tracing(seed);
  const agent = new ToolLoopAgent({
    model: new MockLanguageModelV4({ modelId: MODEL, doGenerate: replies(name) }),
    tools,
    toolApproval: { send_alert: 'user-approval' },
    telemetry: { functionId: AGENT, integrations: [new OpenTelemetry({ tracer })] },
  });
  const messages = [];
  for (const turn of CASES[name]) {
    exporter.reset();
    messages.push({ role: 'user', content: turn.user });
    const { response } = await agent.generate({ messages });
    messages.push(...response.messages);
  }
  keep(`vercel-7-spans-${name}`, asJson(exporter), 'ai');
}

for (const [at, name] of Object.keys(CASES).entries()) await record(name, 0x51 + at);
