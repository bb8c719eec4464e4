import { type Metadata, Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall, type ServiceError } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type AppendResp, DeleteResp, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import type { Certificate } from './certificate.js';
import { supportedMethods } from './features.js';
import { openLine, type Line } from './line.js';
import type { Log } from './log.js';
import { faults, nameOf } from './messages.js';
import { read, type ReadCall } from './read.js';
import { answerAppend, answerBatch, receiveAppend, receiveBatch, removal, type AppendCall, type BatchCall } from './write.js';

export type Method = 'Append' | 'BatchAppend' | 'ReadStream' | 'ReadAll' | 'SubscribeToStream' | 'SubscribeToAll' | 'Gossip' | 'Features';
export type Rpc = Readonly<{ method: Method; stream?: string }>;

/**
 * What becomes of a call. `lose request`: the line breaks before it is carried out; `lose answer`: it is carried out, then the line
 * breaks; `silence` and `silence after`: the same, but the line stays and nothing more is heard; `twice`: it is carried out
 * twice, and a subscription sends each event twice; the rest are answers that a node gives of itself.
 */
export type Fate =
  | 'pass'
  | 'lose request'
  | 'lose answer'
  | 'silence'
  | 'silence after'
  | 'twice'
  | 'not leader'
  | 'no leader'
  | 'busy'
  | 'event too large'
  | 'timeout'
  | 'timeout after';

export type NodeOptions = Readonly<{
  log: Log;
  tls?: Certificate;
  /** Names and passwords; undefined: the node runs with `--insecure` and asks nobody. */
  users?: Readonly<Record<string, string>>;
  /** False: as a node before 21.10, which knows no BatchAppend. */
  batch?: boolean;
  leader(): Readonly<{ port: number }> | undefined;
  gossip(): ClusterInfo;
}>;

type AnyCall = Readonly<{ metadata: Metadata; getPeer(): string }>;

/** One node on one port of 127.0.0.1, and the control side over it. */
export class Node {
  readonly calls = new Map<Method, number>();
  readonly open = new Set<ReadCall>();
  private server: Server | undefined;
  private stopped = false;
  private decide: (rpc: Rpc) => Fate = () => 'pass';

  private constructor(
    readonly line: Line,
    private readonly options: NodeOptions,
  ) {}

  static async start(options: NodeOptions): Promise<Node> {
    const node = new Node(await openLine(), options);
    await node.comeUp();
    return node;
  }

  get port(): number {
    return this.line.port;
  }

  /** Decides over each call from now on. */
  judge(decide: (rpc: Rpc) => Fate): void {
    this.decide = decide;
  }

  /** Ends subscriptions and reads that are open as a node does that is busy elsewhere, or that shuts down. */
  endStreams(as: 'cancelled' | 'shuttingDown' = 'cancelled'): void {
    for (const call of this.open) call.emit('error', faults[as]());
    this.open.clear();
  }

  /** As after `kill -9`. What is stored stays. */
  goDown(): void {
    this.line.leadTo(undefined);
    this.server?.forceShutdown();
    this.server = undefined;
  }

  async comeUp(): Promise<void> {
    const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
    const { log } = this.options;
    server.addService(StreamsService, {
      append: (call: AppendCall, done: sendUnaryData<AppendResp>) => void this.append(call, done),
      batchAppend: (call: BatchCall) => this.batchAppend(call),
      read: (call: ReadCall) => void this.read(call),
      delete: removal(log, false, DeleteResp),
      tombstone: removal(log, true, TombstoneResp),
    });
    server.addService(ServerFeaturesService, {
      getSupportedMethods: this.unary('Features', () => supportedMethods(this.options.batch ?? true)),
    });
    server.addService(GossipService, { read: this.unary('Gossip', () => this.options.gossip()) });
    const { tls } = this.options;
    const credentials = tls
      ? ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) }])
      : ServerCredentials.createInsecure();
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    // Stopped while it came up.
    if (this.stopped) return server.forceShutdown();
    this.server = server;
    this.line.leadTo(port);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.goDown();
    await this.line.close();
  }

  private async append(call: AppendCall, done: sendUnaryData<AppendResp>): Promise<void> {
    try {
      const append = await receiveAppend(call);
      const carryOut = () => answerAppend(append, this.options.log.append(append.stream, append.expected, append.events));
      const answer = this.meet(call, { method: 'Append', stream: append.stream }, carryOut);
      if (answer) done(null, answer);
    } catch (error) {
      done(error as ServiceError);
    }
  }

  private batchAppend(call: BatchCall): void {
    call.on('error', () => undefined);
    receiveBatch(call, (append, correlation) => {
      try {
        const carryOut = () => answerBatch(this.options.log, append, correlation);
        const answer = this.meet(call, { method: 'BatchAppend', stream: append.stream }, carryOut);
        if (answer) call.write(answer);
      } catch (error) {
        // An error of one append ends the call that all of them share (Streams.BatchAppend, HandleCompletion).
        call.emit('error', error);
      }
    });
  }

  private async read(call: ReadCall): Promise<void> {
    this.open.add(call);
    call.on('cancelled', () => this.open.delete(call));
    call.on('error', () => undefined);
    const options = call.request.getOptions()!;
    const stream = options.hasStream() ? nameOf(options.getStream()!.getStreamIdentifier()) : undefined;
    const verb = options.hasSubscription() ? 'SubscribeTo' : 'Read';
    const rpc: Rpc = stream === undefined ? { method: `${verb}All` } : { method: `${verb}Stream`, stream };
    try {
      let times = 1;
      const carryOut = () => {
        times++;
        return true;
      };
      if (this.meet(call, rpc, carryOut)) await read(this.options.log, call, () => times > 2);
    } catch (error) {
      call.emit('error', error);
    } finally {
      this.open.delete(call);
    }
  }

  private unary<Answer>(method: Method, answer: () => Answer) {
    return (call: ServerUnaryCall<unknown, Answer>, done: sendUnaryData<Answer>): void => {
      try {
        const given = this.meet(call, { method }, answer);
        if (given) done(null, given);
      } catch (error) {
        done(error as ServiceError);
      }
    };
  }

  /** Lets a call meet its fate: carries it out or not, answers or not; undefined: nothing more will be heard. */
  private meet<Answer>(call: AnyCall, rpc: Rpc, carryOut: () => Answer): Answer | undefined {
    this.calls.set(rpc.method, (this.calls.get(rpc.method) ?? 0) + 1);
    const asked = rpc.method !== 'Gossip' && rpc.method !== 'Features';
    if (asked) this.authorize(call.metadata);
    const fate = this.decide(rpc);
    // Streams.GetRequiresLeader: without this header a follower forwards appends and answers reads itself.
    const leader = this.options.leader();
    const needsLeader = asked && call.metadata.get('requires-leader')[0] === 'true';
    if (needsLeader && leader !== this) throw leader ? faults.leaderInfo('127.0.0.1', leader.port) : faults.noLeaderInfo();
    switch (fate) {
      case 'pass':
        return carryOut();
      case 'twice':
        carryOut();
        return carryOut();
      case 'lose request':
        this.line.cut(call.getPeer());
        return undefined;
      case 'lose answer':
        carryOut();
        this.line.cut(call.getPeer());
        return undefined;
      case 'silence':
        return undefined;
      case 'silence after':
        carryOut();
        return undefined;
      case 'not leader':
        throw leader ? faults.leaderInfo('127.0.0.1', leader.port) : faults.noLeaderInfo();
      case 'no leader':
        throw faults.noLeaderInfo();
      case 'busy':
        throw faults.serverBusy();
      case 'event too large':
        throw faults.maxAppendEventSizeExceeded('12f06b2e-6c1c-4d38-9d3a-0a4f2f1d6b57', 2_048, 1_024);
      case 'timeout after':
        carryOut();
        throw faults.timeout();
      case 'timeout':
        throw faults.timeout();
    }
  }

  /** Streams.Read, Streams.Append: who may not is denied; who gives wrong credentials is not even asked. */
  private authorize(metadata: Metadata): void {
    const { users } = this.options;
    if (!users) return;
    const given = /^Basic (.+)$/.exec(String(metadata.get('authorization')[0] ?? ''))?.[1];
    if (given === undefined) throw faults.accessDenied();
    const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(given, 'base64').toString())!;
    if (users[name!] !== password) throw faults.unauthenticated();
  }
}
