import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './support/command.ts';
import { exportsOf } from './support/source-graph.ts';

/** Every name of the entries that others use, types included. Each is documented, or has a user outside of its package; adding one is a decision. */
const publicNames: Readonly<Record<string, string>> = {
  'packages/core/src/index.ts': `
    AnyConfiguration Benchmark BenchmarkError BenchmarkOptions ConfigurationOf CpuTime FailureCounts
    GroupedConfiguration GroupedParameters HttpOptions LoadLatency LoadOptions LoadResult LoadUsage Main
    MeasureOptions PORT ParameterValue Parameters Protocol Scheme ServerLoad StatusCounts ToolOptions
    createBenchmark
  `,
  'packages/core/src/compatibility.ts': `
    PORT bakeUrlData binding buildType createBenchmark searchParams sendResult urlDataTypes urls
  `,
  'packages/core/src/protocol.ts': `
    ActivityProbe ConfigMessage ErrorMessage HeldMessage KeptOpenMessage Latency LeftMessage LoadAnswer LoadMessage LoadOrder Message
    ObservedOperations Pilot PlanMessage Probe ProcessOrder ReportMessage ReportedValue ResultDetails SamplePlan Sampling
    SamplingOrder TraceWindow WarmUp nowNs stepOfClock takeProcessOrder
  `,
  'packages/results/src/index.ts': `
    AdaptiveSession BenchmarkId Case CaseFailures CaseGroup CaseSample ComparedResults ComparedRun Condition
    Configuration CpuTimes FIRST_LOOK FailureCount Guarantee MetricPairs
    MissingResult NamedCase OfCommand ParameterValue PlannedSampling Profiles RUN_CSV_HEADER RatePair RenamedBenchmark
    ReportedMetrics Sample SamplePair SubjectNames SubjectPair SubjectRole TASK TRUST_VARIABLE TracedFunction Unmatched
    UnmatchedBenchmark UsageError adaptiveRuns allPairs alternativeOf argumentsOf asTask benchmarkName
    brokenPromises calledCommand caseCount caseKey caseName caseOfText casesWhere checkTrusted commandMark compareCsvLines
    comparedResults comparisonKey countParameter counted csvResults cutAt displayWidth drawn failedCases functionKey groupCases groupName
    guaranteeNames guarantees isBuiltIn isEmptyOperation isOfFile latencyMetrics makeDirectory meetsAll
    missingResults missingShards mostRuns nameCase nameInGroup nameOrder optionWords otherSamplePairs
    ownValue packageDetails pairsOfCase pairsWithBaseline parameterOf parseCondition printedOutput printedWarnings rateWithin readBenchmarkName readCompareCsv
    readScatterCsv recordingWhere reportedMetrics requireParameters resultsWhere resumeCommand runConfiguration runCsvRow runtimeDetails
    runtimeText samplePairs samplesByGroup samplesOf scatterCsvHeader scatterCsvRow shortList shortName shortened shortenedApart shownArguments shownIn
    skippedBenchmarks sourceDetails subjectNames subjectParts subjectText subjectTitles succeededRuns suggestion textOrder
    unmatchedBenchmarks unmatchedNames unmatchedWhere valueOrder withoutSubjects wrapped
  `,
  'packages/results/src/recording/index.ts': `
    Activity AdaptiveRuns BenchmarkFailure BenchmarkFile EndRecord
    Environment FailedRun Failure LINE_LIMIT_BYTES LoadedCode LoadedFiles LoadedRecord
    MetricDescription MetricRequest PlanRecord PlannedCases RECORD_FORMAT RecordLine Recording Recordings
    ResumedRecord RunKind RunRecord Runtime SessionRecord SessionRequest SessionSettings Shard
    Subject SubjectPackage SubjectSource SucceededRun UnmatchedCases Values VersionRecord byPlan chainedLine
    changedBenchmark changedFile checkNew difference digestOfLine drawnOrder extended failureKinds inherited lineReader
    readRecording readRecordings readSessions recordedSettings recordedWords recordingOf recordingPlace repeatedWords runKinds runtimeNames
    scheduledConfiguration settingsOfRequest subjectOrders unchainedLine valuesIn writeRecordings
  `,
  'packages/stats/src/index.ts': `
    Comparison ComparisonList Gate GateOutcome JudgedResults Judgement MetricList NewCase RatioInterval
    SampleSummary Verdict changePoints compareFixed compareMetrics compareSequentially
    judgeGates judgeResults methods parseGate rankValues rateWords scatterTable summarizeSample verdictWord
  `,
  'packages/report/src/index.ts': `
    ChangeRow ClientRow Explanation Fact FunctionNotice RateGroup TextView bencherJson changeRange comparisonJson
    comparisonName explanationsOf exportedRates exportedRows failedRunsText
    githubActionBenchmarkJson machinesText measuredVersions methodLines metricText noticedFunctions originText pValue partsText percent prose rankingEntry
    rateGroups rateText ratesDocument ratioChange renderBarTable renderChanges
    renderClientTable renderCompareTable renderComparison renderExplanation renderFunctions renderMetricTable
    renderRatesTable renderRunMarkdown renderRunTable renderScatter renderSearch summarize summarizeSearch
    summaryLines tieLetters timesOf undecidedReason warningGroups withoutRunText
  `,
  'packages/report/src/page/index.ts': `
    HistoryCommit HistorySeries ReportContent renderFunctionsPage renderHistory renderRatesPage renderReport
  `,
  'packages/report/src/plot/index.ts': `
    barPlot boxPlot groupPlot renderPng scatterPlot searchPlot withFooter
  `,
  'packages/benchmarkers/src/index.ts': `
    Availability Benchmarker BenchmarkerDefinition LEAST_REACHED LoadError LoadErrorCode LoadOptions
    LoadRequest LoadResult ServerLoad ToolReport builtInBenchmarkers chooseBenchmarker createAutocannon
    defineBenchmarker loadServer pointsText shortageOf
  `,
  'packages/benchmarkers/src/contract/index.ts': `
    ContractCase ContractOptions benchmarkerContract
  `,
  'packages/cli/src/config.ts': `
    Config
  `,
  'packages/cli/src/index.ts': `
    CompareOptions CompareResult Recording Request RequestOptions ResumeOptions RunRecord SessionEvent
    SessionOptions SessionRequest SubjectRequest SubjectRequests UsageError checkBenchmarks compare
    compareFixed comparisonJson createRequest profileCases rankValues readRecording readRecordings readSubject
    renderComparison renderReport resumeSession runSession samplePairs summarize verdictWord writeRecordings
  `,
  'packages/results/src/settings/index.ts': `
    BenchmarkKind CodeOrigin CommandName CommandSettings ConfigDefaults LibraryModule RecordedSettings Setting SettingName
    SettingValue allSettings checkApplicable commandNames configDefaults countOrAuto defaultOf defaultText
    eventNames findConfigFile idleSettings kindOf libraries libraryReleases loadConfigFile metricNames optionOf path settingCommands
    settingGroups settings settingsFor settingsOf takes
  `,
  'packages/runner/src/index.ts': `
    AdaptiveOptions CheckOptions CheckedCase CompareOptions CompareResult ComparedCase Decision Disturbance
    FindingKind MachineState NamedSubject PackageRequest ProfileOptions Recording Request
    RequestOptions ResumeOptions RunRecord ScheduledRun ScriptedExecutor SessionEvent SessionListener SessionOptions
    SessionRequest SourceRequest SubjectRequest SubjectRequests UsageError affectedFiles benchmarkersOf
    checkBenchmarks compare createRequest defaultRecordPath diagnose examineMachine failedRuns formerComparisons hasBenchmarks itemsIn
    judgeSession notify offeredItems profileCases readRecording
    readRecordings readSubject resumeSession runSession scheduleRound
    sessionCollector setGovernor traceFunctions writeRecordings
  `,
  'packages/cluster-server/src/index.ts': `
    Answer ClientConfig ClientConnection ClientOptions ClientRequest ClientSession ClusterServer
    CompleteServerOptions ConnectionSettings HttpClient ServerAddress ServerContext ServerOptions Target
    WorkerDeath clientSession defineClient serverOptionsOf startClusterServer
  `,
};

/** The entries for the packages of this repository only: what nobody imports, knip finds. */
const internal = /^packages\/(?:agent|subjects|system)\/|\/(?:internal|load-process|other-tools|schema)\.ts$/;

it.each(Object.entries(publicNames))('%s exports these names and no others', (file, names) => {
  const remedy =
    'if others need the new name, add it to publicNames of this file in order; else do not export it';
  expect(exportsOf(file), remedy).toEqual(names.match(/\S+/g) ?? []);
});

/** The packages that programs import. */
const published = ['cli', 'core', 'stats', 'benchmarkers', 'cluster-server'];

/** The command has the one entry for programs, with what docs/embed.md names. */
const mostNames = (name: string) => (name === 'cli' ? 32 : 25);

it.each(published)('the main entry of %s has at most 25 names, that for programs 32', (name) => {
  const remedy = 'export it from another entry of the package, which package.json names';
  expect(exportsOf(`packages/${name}/src/index.ts`).length, remedy).toBeLessThanOrEqual(mostNames(name));
});

it('the list has every entry that others use', () => {
  const entry = z.object({ types: z.string() });
  const manifest = z.object({ exports: z.record(z.string(), z.union([entry, z.string()])) });
  const entries = globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
    const { exports } = manifest.parse(JSON.parse(readFileSync(join(root, path), 'utf8')));
    return Object.values(exports).flatMap((target) =>
      typeof target === 'string'
        ? []
        : [join(dirname(path), target.types.replace('/dist/', '/src/').replace('.d.ts', '.ts'))],
    );
  });
  const others = entries.filter((file) => !internal.test(file));
  expect(Object.keys(publicNames).sort(), 'list the entry in publicNames of this file').toEqual(
    others.sort(),
  );
});
