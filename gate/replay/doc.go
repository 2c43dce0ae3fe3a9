// Package replay measures, in real histories, whether findings keep their identity:
//
//	go test -run '^$' -bench Replay ./gate/replay
//
// Two commits of a history stand for the tree that was reviewed and for the tree that is
// reviewed next. Findings are placed on lines whose text is unique in both trees, so that
// it is known what became of them: the line is still there, wherever it went, or it is
// gone. All are claimed to be fixed. Those that are still there are reported again as
// reviewers do: at another line, in other words, under an old name. Then it is counted how
// many were recognised, and how many were called verified although they are still there.
//
// The history is that of the project. REVIEWLEDGER_REPLAY names other ones: git
// directories, separated like the entries of PATH. They are only read. The numbers are the
// same in each run over the same history.
//
// The package has tests alone.
package replay
